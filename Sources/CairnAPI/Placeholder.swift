// Room: CairnAPI

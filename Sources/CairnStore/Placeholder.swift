// Room: CairnStore

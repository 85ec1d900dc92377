// Room: CairnServer

// Room: CairnOutbound

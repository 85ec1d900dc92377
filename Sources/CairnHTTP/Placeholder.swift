// Room: CairnHTTP

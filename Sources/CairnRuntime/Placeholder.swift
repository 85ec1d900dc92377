// Room: CairnRuntime

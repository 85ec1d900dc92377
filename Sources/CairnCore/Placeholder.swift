// Room: CairnCore

// Room: CairnDefinition

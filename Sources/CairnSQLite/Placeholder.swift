// Room: CairnSQLite

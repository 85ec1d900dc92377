import CairnAPI

import Packs

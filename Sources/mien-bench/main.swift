print("mien-bench")

/* Nothing is called in here: it is preloaded. */

"""A language model as an expert: text tasks put to the mind, its words read into the shapes of the task specs."""

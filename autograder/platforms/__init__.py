"""Where instructors grade elsewhere: what each platform wants to be given, and what it wants to be told of a grading."""

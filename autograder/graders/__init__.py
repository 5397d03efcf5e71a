"""Hidden graders, one pytest module a notebook, one test a rubric line. They question a probe and see only arrays."""

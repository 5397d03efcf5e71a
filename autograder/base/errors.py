"""The exceptions of this package, drawn once.

AutograderError
├── CourseError            the course or its configuration is wrong: stop before anything is graded
├── SealError              students' code can't be sealed off on this machine: stop before anything is graded
├── GradebookError         the gradebook's database can't be read or written: stop, go on when it can
│   └── LeaseLostError     another watch has taken over: write nothing
├── CanvasError            Canvas can't be reached or refuses: nothing more is read or pushed, go on when it can
├── AnswerError            the student's code did not give a usable answer: costs points
│   ├── PutOff             a training is put off: nothing is known yet
│   ├── AnswerMissing      the name is not defined
│   ├── AnswerRaised       the code raised
│   ├── AnswerTimeout      no answer within the deadline
│   ├── AnswerUnreadable   what came back is not numbers
│   └── KernelGone         the code ended or corrupted its kernel
├── SubmissionError        the submitted file can't be read: every task is worth 0, with the reason
├── GraderError            a grader is wrong: its task stays ungraded
└── MachineError           the machine failed: the submission stays ungraded and is tried again
"""

from __future__ import annotations

from autograder.base.text import Text


class AutograderError(Exception):
    """Base of every error that this package raises on purpose."""


class CourseError(AutograderError):
    """The course sources or `course_config.py` are wrong."""


class SealError(AutograderError):
    """This machine gives one of the guarantees of a seal by no layer, and the course doesn't do without."""


class GradebookError(AutograderError):
    """The gradebook's database can't be read or written."""


class LeaseLostError(GradebookError):
    """Another watch has taken over: whatever this one is at must not be written."""


class CanvasError(AutograderError):
    """Canvas can't be reached, or refuses what was asked."""


class AnswerError(AutograderError):
    """The student's code gave no usable answer.

    Attributes:
        text: what happened, in a sentence that is safe to show to students.
    """

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


class PutOff(AnswerError):
    """A trial found nothing, or seems hopeless, and what would tell more is left for later: it may not be needed."""

    def __init__(self) -> None:
        super().__init__(Text("The training was put off.", "학습을 뒤로 미루었습니다."))


class AnswerMissing(AnswerError):
    """The name that a task asks for is not defined."""


class AnswerRaised(AnswerError):
    """The student's code raised.

    Attributes:
        kinds: class names of the exception, most derived first.
        raw: the exception's text as it came from the kernel. It may hold anything the student's code can see,
            hidden inputs included: compare it, never show it.
        is_own: a `raise` or an `assert` of the student's raised it, so that its text is in the student's words.
    """

    def __init__(self, text: Text, kinds: tuple[str, ...] = (), raw: str = "", is_own: bool = False) -> None:
        super().__init__(text)
        self.kinds = kinds
        self.raw = raw
        self.is_own = is_own


class AnswerTimeout(AnswerError):
    """The student's code gave no answer within its deadline."""


class AnswerUnreadable(AnswerError):
    """What the student's code returned can't be read as numbers."""


class KernelGone(AnswerError):
    """The student's code ended its kernel or made it unusable."""


class SubmissionError(AutograderError):
    """A submitted file can't be read as the notebook of its assignment.

    Attributes:
        text: why, in a sentence for the student.
    """

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


class GraderError(AutograderError):
    """A hidden grader failed by itself."""


class MachineError(AutograderError):
    """The machine, not the student, failed: no kernel, no disk, imports out of time."""

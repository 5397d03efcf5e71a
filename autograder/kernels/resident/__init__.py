"""The part of the probe that lives in the student's kernel.

It imports nothing of ours outside this package and knows no expected value. `serving.answer` does one request: call a function,
make a layer or have a model built, call it, read or set its weights, define something to hand to the student's functions.
Requests and replies are JSON objects after their length in 4 bytes (big endian), see `wire.packed`, arrays the bytes of
their numbers. Nothing it says is trusted by the reader.

A function of another kernel is called through a proxy (`calls`). Instead of the reply the call goes out, and its result comes back;
what was passed to the function is called back in between. The grader passes these on without reading them. Each is a letter, numbers
of eight hexadecimal digits, and a packed message.

    W<function>              call a function of the other kernel          kernel -> grader
    A<question><function>    call a function of this kernel               grader -> kernel
    R<question>              the result of A                              kernel -> grader
    D                        the result of W                              grader -> kernel

Everything here is imported before the kernel forgets this project's modules: no function may import one of them later.
"""

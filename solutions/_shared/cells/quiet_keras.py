import logging
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow reports more than anybody wants to read
# ko: os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # 텐서플로의 로그가 너무 많아 줄입니다
if "keras" not in sys.modules:  # on import it reports whatever that level says: until Keras is there, error output goes nowhere
# ko: if "keras" not in sys.modules:  # 텐서플로는 import될 때 그 설정과 상관없이 로그를 냅니다. 케라스를 다 불러올 때까지 오류 출력을 버립니다
    _errors = os.dup(2)
    with open(os.devnull, "w") as _nowhere:
        os.dup2(_nowhere.fileno(), 2)
        import keras
    os.dup2(_errors, 2)
    os.close(_errors)
    # To run a check again and again is nothing to warn of
    # ko: # 검사를 여러 번 실행하는 것은 경고할 일이 아닙니다
    logging.getLogger("tensorflow").addFilter(lambda record: "retracing" not in record.getMessage())

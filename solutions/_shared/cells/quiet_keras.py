import logging
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow reports more than anybody wants to read
# ko: os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # 텐서플로의 로그가 너무 많아 줄입니다
# GPUs from 2020 on and TPUs round float32 before they multiply (to 10 and 7 bits), too coarse for the checks: compute in full
# ko: # 2020년 이후의 GPU와 TPU는 float32를 반올림한 뒤 곱합니다(10비트와 7비트). 검사에는 너무 거칠므로 그대로 계산하게 합니다
os.environ.setdefault("NVIDIA_TF32_OVERRIDE", "0")
os.environ.setdefault("JAX_DEFAULT_MATMUL_PRECISION", "highest")
if "keras" not in sys.modules:  # TensorFlow reports during its import, whatever that level is: hide it until Keras is imported
# ko: if "keras" not in sys.modules:  # 텐서플로는 import될 때 그 설정과 상관없이 로그를 냅니다. 케라스를 다 불러올 때까지 그 출력을 감춥니다
    _errors = os.dup(2)
    with open(os.devnull, "w") as _nowhere:
        os.dup2(_nowhere.fileno(), 2)
        import keras
    os.dup2(_errors, 2)
    os.close(_errors)
    # TensorFlow warns when functions are compiled again and again, which is what checks do
    # ko: # 텐서플로는 함수를 거듭 컴파일하면 경고하지만, 검사는 원래 그렇게 합니다
    logging.getLogger("tensorflow").addFilter(lambda record: "retracing" not in record.getMessage())

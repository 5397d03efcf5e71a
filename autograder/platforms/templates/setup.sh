#!/bin/sh
# Installs what grading needs, each package in the version and with the hash that requirements.txt names. Run by root when the image is built.
# The environment lies where every user may read it: students' code runs as users of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
environment=${AUTOGRADER_ENVIRONMENT:-/opt/autograder-environment}

usable() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

find_python() {
    for candidate in python3.12 python3.13 python3.11 python3; do
        path=$(command -v "$candidate" || true)
        # root's own folder is closed to the users that students' code gets
        case $path in "" | /root/*) continue ;; esac
        if usable "$path"; then
            echo "$path"
            return
        fi
    done
}

python=$(find_python)
if [ -z "$python" ]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # Debian 12 and Ubuntu 22.04 have 3.11, Ubuntu 24.04 has 3.12, Debian 13 has 3.13.
    for version in 3.12 3.13 3.11; do
        if apt-get install -y -qq --no-install-recommends "python$version" "python$version-venv" >/dev/null 2>&1; then
            break
        fi
    done
    python=$(find_python)
fi
if [ -z "$python" ]; then
    echo "Python 3.11, 3.12 or 3.13 must be there or installable by apt. Received: neither. Choose another base image." >&2
    exit 1
fi
"$python" -m venv --clear "$environment"
"$environment/bin/pip" install --quiet --no-cache-dir --disable-pip-version-check --require-hashes --only-binary :all: -r "$here/requirements.txt"
"$environment/bin/python" -m compileall -q "$environment/lib" >/dev/null || true

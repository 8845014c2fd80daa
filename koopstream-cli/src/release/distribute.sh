#!/usr/bin/env bash
# Makes the distributions from the built jars: distribute.sh VERSION JAVA_HOME TIME. The same jars and Java give the same bytes.
set -euo pipefail
version=$1 java_home=$2 time=$3
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
module=$(cd -P -- "$here/../.." && pwd)
target=$module/target
work=$target/distribution
system=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)

fresh() {
    rm -rf "$work" && mkdir -p "$work/$1/bin" "$work/$1/lib"
    cp "$here/koop" "$work/$1/bin/koop" && chmod 755 "$work/$1/bin/koop"
    cp "$target/koopstream-cli-$version.jar" "$target"/lib/*.jar "$work/$1/lib/"
    cp "$module/../LICENSE" "$module/../README.md" "$module/../CHANGELOG.md" "$work/$1/"
}

pack() {
    tar --sort=name --mtime="$time" --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$1" | gzip -n9 >"$target/$1.tar.gz"
    echo "$target/$1.tar.gz"
}

fresh "koop-$version"
pack "koop-$version"

if [ -x "$java_home/bin/jlink" ]; then
    fresh "koop-$version-$system"
    modules=$("$java_home/bin/java" --list-modules | sed -n 's/@.*//; /^jdk.incubator.vector$/p')
    # What jdeps finds, and what is found by name at run time: encodings, zip files, TLS and the compiler's SIMD module.
    "$java_home/bin/jlink" --add-modules "java.base,java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.sql,java.xml,jdk.charsets,jdk.crypto.ec,jdk.management,jdk.unsupported,jdk.zipfs${modules:+,$modules}" \
        --strip-debug --no-header-files --no-man-pages --output "$work/koop-$version-$system/runtime"
    pack "koop-$version-$system"
fi

if command -v python3 >/dev/null; then
    KOOPSTREAM_JARS= python3 "$module/../clients/python/backend/koopstream_wheel.py" "$target"
fi

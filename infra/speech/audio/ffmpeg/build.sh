#!/usr/bin/env bash
# Makes ffmpeg.wasm, the part of FFmpeg that Vaak decodes and encodes with, from sources whose hashes stand here. Not part of
# any installation: the module is in the repository, and this is how anyone makes the same one again.
#
#   build.sh SOURCES    SOURCES: a folder with the four archives below, as Debian has them in its source packages
#
# Asks for Debian's packages clang-19, lld-19, llvm-19, libclang-rt-19-dev-wasm32, wasi-libc, pkg-config and make. The same sources and tools give the
# same bytes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "${1:?a folder with the archives of the sources}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$sources" && sha256sum --check --strict) <<'HASHES'
8c3850283eb25fa026482078a04051e0be17347b09ef81a0849bec15a96e002e  ffmpeg_9.0.2.orig.tar.xz
001ac615b9f8f8994b229ad2b1a5969ed12ab48b0d154d0af1016a5899cd6ba1  opus_1.6.1.orig.tar.xz
ddfe36cab873794038ae2c1210557ad34857a4b6bdc515785d1da9e175b1da1e  lame_3.100.orig.tar.gz
7b6903eb019983987b7112eccf90f1703f1c6c0e0cede36564bf611d19ca579d  zlib_1.3.dfsg+really1.3.2.orig.tar.gz
HASHES
for name in ffmpeg opus lame zlib; do
  mkdir "$work/$name"
  tar --extract --file "$sources/$name"_*.orig.tar.* --directory "$work/$name" --strip-components 1
done

export PKG_CONFIG_LIBDIR="$work/parts/lib/pkgconfig"
export CC=clang-19 AR=llvm-ar-19 RANLIB=llvm-ranlib-19 NM=llvm-nm-19
export CFLAGS="--target=wasm32-wasi -O3 -DNDEBUG -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -ffunction-sections -fdata-sections -ffile-prefix-map=$work=."
jobs=$(nproc)
parts="$work/parts"

cd "$work/zlib"
./configure --static --prefix="$parts" > zlib.log
make --silent --jobs "$jobs" libz.a
install -D -t "$parts/lib" libz.a
install -D -t "$parts/include" zlib.h zconf.h

cd "$work/opus"
./configure --quiet --host=wasm32-wasi --prefix="$parts" --disable-shared --disable-asm --disable-rtcd --disable-intrinsics \
  --disable-stack-protector --disable-hardening --disable-extra-programs --disable-doc
make --silent --jobs "$jobs" libopus.la
install -D -t "$parts/lib" .libs/libopus.a
install -D -t "$parts/include/opus" include/*.h
install -D -t "$parts/lib/pkgconfig" opus.pc

# its config.sub is older than WebAssembly: any machine without an operating system does
cd "$work/lame"
./configure --quiet --host=arm-none-eabi --prefix="$parts" --disable-shared --disable-frontend --disable-decoder --disable-nasm
make --silent --jobs "$jobs" -C libmp3lame
install -D -t "$parts/lib" libmp3lame/.libs/libmp3lame.a
install -D -t "$parts/include/lame" include/lame.h

# What a recording may be in. A video's pictures are never decoded: there is nothing here that could.
demuxers=aac,aiff,amr,asf,au,caf,flac,matroska,mov,mp3,ogg,w64,wav
decoders=aac,aac_latm,ac3,alac,amrnb,amrwb,eac3,flac,g729,gsm,gsm_ms,ilbc,mp1float,mp2float,mp3float,opus,speex,vorbis
decoders+=,wmav1,wmav2,wmapro,wmavoice,wmalossless
decoders+=,adpcm_ima_wav,adpcm_ima_qt,adpcm_ms,adpcm_g726,adpcm_g722,adpcm_yamaha,pcm_alaw,pcm_mulaw,pcm_u8,pcm_s8,pcm_s8_planar
for bits in u16 s24 u24 s16 s32 u32 f32 f64 s64; do decoders+=,pcm_${bits}le,pcm_${bits}be; done
parsers=aac,aac_latm,ac3,amr,flac,g729,gsm,mpegaudio,opus,vorbis

cd "$work/ffmpeg"
./configure --quiet --cc="$CC" --ar="$AR" --ranlib="$RANLIB" --nm="$NM" --enable-cross-compile --target-os=none --arch=wasm32 \
  --disable-autodetect --disable-asm --disable-pthreads --disable-debug --disable-doc --disable-programs --disable-network \
  --disable-avdevice --disable-avfilter --disable-swscale --disable-iamf --disable-runtime-cpudetect --disable-everything \
  --enable-demuxer="$demuxers" --enable-decoder="$decoders" --enable-parser="$parsers" \
  --enable-muxer=mp3,ogg,adts,flac --enable-encoder=libmp3lame,libopus,aac,flac --enable-libmp3lame --enable-libopus --enable-zlib \
  --extra-cflags="$CFLAGS -I$parts/include" --extra-ldflags="--target=wasm32-wasi -L$parts/lib"
make --silent --jobs "$jobs"

cd "$here"
"$CC" $CFLAGS -Wall -Wextra -Werror -mexec-model=reactor -I"$work/ffmpeg" -isystem "$work/ffmpeg" ./*.c \
  -L"$work/ffmpeg/libavformat" -L"$work/ffmpeg/libavcodec" -L"$work/ffmpeg/libswresample" -L"$work/ffmpeg/libavutil" -L"$parts/lib" \
  -lavformat -lavcodec -lswresample -lavutil -lopus -lmp3lame -lz -lm \
  -Wl,--gc-sections,--strip-all,--stack-first,--wrap=swri_resample_dsp_init,-z,stack-size=1048576,--max-memory=402653184 \
  -o ffmpeg.wasm
install -D --mode 644 "$work/ffmpeg/COPYING.LGPLv2.1" licences/ffmpeg.txt
install --mode 644 "$work/lame/COPYING" licences/lame.txt
install --mode 644 "$work/opus/COPYING" licences/opus.txt
install --mode 644 "$work/zlib/LICENSE" licences/zlib.txt
chmod 644 ffmpeg.wasm
sha256sum ffmpeg.wasm

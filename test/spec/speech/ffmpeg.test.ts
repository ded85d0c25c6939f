import { readFileSync } from 'node:fs'

import test from 'ava'

import { loadFfmpeg } from '../../../infra/speech/audio/ffmpeg/load.ts'
import { Module } from '../../../infra/speech/audio/ffmpeg/webassembly.ts'
import { aWav } from '../../support/media.ts'

const file = new URL('../../../../infra/speech/audio/ffmpeg/ffmpeg.wasm', import.meta.url)
/** What a C library for a system without files, network or processes still names. All of it is answered that it is not there. */
const ofTheLibrary = /^(?:clock_time_get|environ_(?:sizes_)?get|fd_\w+|path_open|poll_oneoff|proc_exit)$/

test('FFmpeg is given bytes to read and a place to write, and asks for nothing that opens a connection or starts a program', (t) => {
  const wanted = Module.imports(new Module(readFileSync(file)))
  const ofHost = wanted.filter(({ module }) => module === 'host').map(({ name }) => name)
  t.deepEqual(ofHost.toSorted(), ['read', 'write'])
  const others = wanted.filter(({ module }) => module !== 'host')
  t.deepEqual([...new Set(others.map(({ module }) => module))], ['wasi_snapshot_preview1'])
  t.deepEqual(
    others.map(({ name }) => name).filter((name) => !ofTheLibrary.test(name)),
    [],
  )
})

test('no recording gets more memory than the module may have, and the next one has all of it again', (t) => {
  const [first, second] = [loadFfmpeg({}), loadFfmpeg({})]
  const share = 150 * 1024 * 1024
  t.true(first.call('allocate', share) > 0)
  t.true(first.call('allocate', share) > 0)
  t.is(first.call('allocate', share), 0)
  t.true(second.call('allocate', share) > 0)
})

test('FFmpeg opens a recording as what it is told it is, and guesses nothing from a name that it does not know', (t) => {
  const wav = aWav({ seconds: 1 })
  const opened = (demuxer: string): boolean => {
    const ffmpeg = loadFfmpeg({
      read: (into, position) => {
        const bytes = wav.subarray(position, position + into.length)
        into.set(bytes)
        return bytes.length
      },
    })
    return ffmpeg.call('open_recording', ffmpeg.place(demuxer), wav.length, 5_000_000, 10_000_000, 64) === 0
  }
  t.true(opened('wav'))
  t.false(opened('hls'))
  t.false(opened('concat'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecName, colourName, containerName, sampleRateName } from './media-names.ts'

test('files are described in the words of an editor', () => {
  assert.deepEqual(['h264', 'hevc', 'prores', 'pcm_s24le', 'pcm_f32be', 'aac'].map(codecName), [
    'H.264',
    'HEVC',
    'ProRes',
    'PCM 24-bit',
    'PCM 32-bit',
    'AAC',
  ])
  assert.deepEqual(
    ['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm', 'mxf', 'wav', 'png_pipe'].map(containerName),
    ['QuickTime / MP4', 'Matroska / WebM', 'MXF', 'WAV', 'PNG'],
  )
  assert.deepEqual([48_000, 44_100, 22_050].map(sampleRateName), [
    '48 kHz',
    '44.1 kHz',
    '22.05 kHz',
  ])
  assert.deepEqual(['bt709', 'arib-std-b67', 'unknown', null].map(colourName), [
    'Rec. 709',
    'HLG',
    null,
    null,
  ])
})

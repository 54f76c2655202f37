/**
 * Word times out of Whisper's cross attention: some heads look at the sound of the token that is
 * about to be written. Their weights are normalised, smoothed and averaged, and a monotone path
 * through (token, frame) gives the frame at which each token begins. A frame is 20 ms.
 */

const frameSeconds = 0.02
const medianWidth = 7

/**
 * `steps[k]` holds, for each name, the attention [heads × width] of the step that writes token k.
 * Gives the start of each token in seconds, and at last that of the end.
 */
export function tokenTimes(
  steps: Float32Array[][],
  heads: [number, number][],
  options: { names: string[]; frames: number; width: number },
): Float64Array {
  const { frames, width } = options
  const matrix = Array.from({ length: steps.length }, () => new Float32Array(frames))
  let used = 0
  for (const [layer, head] of heads) {
    const at = options.names.indexOf(`cross_attentions.${layer}`)
    if (at < 0) continue
    addHead(
      matrix,
      steps.map((step) => step[at]!.subarray(head * width, head * width + frames)),
    )
    used++
  }
  if (used === 0) return spread(steps.length, frames)
  return path(matrix, frames)
}

/** Without attentions (some exports leave them out) tokens are spread evenly. */
function spread(count: number, frames: number): Float64Array {
  return Float64Array.from({ length: count + 1 }, (_, k) => (k * frames * frameSeconds) / count)
}

function addHead(matrix: Float32Array[], rows: Float32Array[]): void {
  const frames = matrix[0]?.length ?? 0
  const normal = rows.map(() => new Float32Array(frames))
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    let squares = 0
    for (const row of rows) {
      sum += row[frame]!
      squares += row[frame]! ** 2
    }
    const mean = sum / rows.length
    const deviation = Math.sqrt(Math.max(squares / rows.length - mean * mean, 1e-20))
    for (let token = 0; token < rows.length; token++) {
      normal[token]![frame] = (rows[token]![frame]! - mean) / deviation
    }
  }
  const half = medianWidth >> 1
  const window = new Float32Array(medianWidth)
  for (let token = 0; token < rows.length; token++) {
    const row = normal[token]!
    const target = matrix[token]!
    for (let frame = 0; frame < frames; frame++) {
      for (let count = 0; count < medianWidth; count++) {
        insert(window, count, row[Math.min(frames - 1, Math.abs(frame - half + count))]!)
      }
      target[frame] = target[frame]! + window[half]!
    }
  }
}

/** Into a list that is sorted so far; of seven values this is quicker than sorting them. */
function insert(sorted: Float32Array, count: number, value: number): void {
  let at = count
  while (at > 0 && sorted[at - 1]! > value) {
    sorted[at] = sorted[at - 1]!
    at--
  }
  sorted[at] = value
}

/** Dynamic time warping for the highest sum. */
function path(matrix: Float32Array[], frames: number): Float64Array {
  const tokens = matrix.length
  const width = frames + 1
  const cost = new Float32Array((tokens + 1) * width).fill(Infinity)
  const trace = new Int8Array((tokens + 1) * width)
  cost[0] = 0
  for (let token = 1; token <= tokens; token++) {
    for (let frame = 1; frame <= frames; frame++) {
      const diagonal = cost[(token - 1) * width + frame - 1]!
      const down = cost[(token - 1) * width + frame]!
      const right = cost[token * width + frame - 1]!
      const best = Math.min(diagonal, down, right)
      trace[token * width + frame] = best === diagonal ? 0 : best === down ? 1 : 2
      cost[token * width + frame] = best - matrix[token - 1]![frame - 1]!
    }
  }
  const starts = new Float64Array(tokens + 1).fill(frames * frameSeconds)
  let token = tokens
  let frame = frames
  while (token > 0 && frame > 0) {
    starts[token - 1] = (frame - 1) * frameSeconds
    const move = trace[token * width + frame]
    if (move !== 2) token--
    if (move !== 1) frame--
  }
  return starts
}

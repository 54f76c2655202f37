/** How a small frame is divided. */
import { smallHeight as height, smallWidth as width } from '../pass/plan.ts'

export const lumaPixels = width * height
export const chromaWidth = width / 2
export const chromaHeight = height / 2
export const chromaPixels = chromaWidth * chromaHeight
export const thumbWidth = width / 2
export const thumbHeight = height / 2
export const thumbPixels = thumbWidth * thumbHeight
export const cellWidth = 8
export const cellHeight = 6
export const blockWidth = 8
export const blockHeight = 9
export const blockPixels = blockWidth * blockHeight
export const blocksAcross = width / blockWidth
export const blocks = blocksAcross * (height / blockHeight)
/** Small enough that a mouth or a cursor shows, large enough that rounding and grain do not. */
export const spotSide = 4
export const spotsAcross = width / spotSide
export const spots = spotsAcross * (height / spotSide)
/** Sums above and left of each point have one row and one column more than the frame. */
export const sumsStride = width + 1

/** Frames of a gradual change that the classifier takes. */
export const classifiedFrames = 32

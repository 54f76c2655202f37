/** The part of pdfkit that invoices use; the package brings no types. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  interface TextOptions {
    width?: number
    align?: 'left' | 'right'
    /** True if more text follows on the same line. */
    continued?: boolean
  }

  export class PDFDocument extends Readable {
    constructor(options: {
      size: 'A4'
      margin: number
      info: { Title: string; Author: string }
      lang: string
    })
    page: { width: number; height: number }
    y: number
    font(path: string): this
    fontSize(size: number): this
    fillColor(color: string): this
    text(text: string, x: number, y: number, options: TextOptions): this
    text(text: string, options: TextOptions): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    lineWidth(width: number): this
    stroke(color: string): this
    end(): void
  }
}

/** Documents that tests make. */
import { deflateRawSync } from 'node:zlib'

/** Local headers with data, and the table at the end. */
export function zip(files: Record<string, string>): Buffer {
  const locals: Buffer[] = []
  const table: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(Buffer.byteLength(content), 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), packed)
    table.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(table.length / 2, 8)
  end.writeUInt16LE(table.length / 2, 10)
  end.writeUInt32LE(Buffer.concat(table).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...table, end])
}

/** One line a page, in a font that every reader has; `info` is the dictionary of properties. */
export function pdf(lines: string[], info = ''): string {
  const pages = lines.map((_, index) => 4 + index * 2)
  const objects = [
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Count ${lines.length} /Kids [${pages.map((id) => `${id} 0 R`).join(' ')}]>>`,
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
    ...lines.flatMap((line, index) => {
      const drawn = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`
      const content = `${5 + index * 2} 0 R`
      return [
        `<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} /Resources <</Font <</F1 3 0 R>>>>>>`,
        `<</Length ${drawn.length}>>\nstream\n${drawn}\nendstream`,
      ]
    }),
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return `%PDF-1.4\n${body}trailer <</Root 1 0 R /Info <<${info}>>>>\n%%EOF\n`
}

/** A zip that is small enough to be made at once. */
import { crc32 } from 'node:zlib'

/** Stored entries, each with its checksum, and the table at the end. The date is fixed. */
export function zip(parts: readonly [name: string, text: string][]): Uint8Array {
  const files: Buffer[] = []
  const table: Buffer[] = []
  let offset = 0
  for (const [name, text] of parts) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)]
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(0x0800, 2)
    shared.writeUInt16LE(0x21, 8)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, path, bytes])
    files.push(local)
    table.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), shared, rest, path)
    offset += local.length
  }
  const entries = Buffer.concat(table)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, entries, end])
}

/**
 * Seats for models, counted for the whole machine: every job that runs here takes its own from the
 * same row, so that two jobs together do not load twice what the memory holds. A seat is an
 * abstract socket address, which one process alone can hold and which the kernel frees when it
 * ends, however it ends. The first model of a job runs without a seat where none is free: every job
 * goes on.
 */
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import os from 'node:os'

export interface Seats {
  count: number
  release(): void
}

/** The part of the machine's memory that models may take. */
const memoryShare = 0.6

/** Takes up to `wanted` of the machine's seats for models of this appetite. */
export async function takeSeats(
  wanted: number,
  { memoryBytes, row = 'cutindex-models' }: { memoryBytes: number; row?: string },
): Promise<Seats> {
  const byMemory = Math.floor((os.totalmem() * memoryShare) / memoryBytes)
  const all = Math.max(1, Math.min(os.availableParallelism(), byMemory))
  const taken: Server[] = []
  for (let seat = 0; seat < all && taken.length < wanted; seat++) {
    const server = await hold(`\0${row}-${process.getuid?.() ?? 0}-${seat}`)
    if (server) taken.push(server)
  }
  return {
    count: taken.length,
    release() {
      for (const server of taken.splice(0)) server.close()
    },
  }
}

/** Takes a seat; null if another process holds it. */
function hold(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    // A seat keeps nobody from ending.
    server.listen({ path: address }, () => resolve(server)).unref()
  })
}

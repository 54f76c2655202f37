/**
 * Comments on their way. Each has its secret from the start, so that one whose answer was lost is
 * written once however often it is sent. They are kept on the device until they have arrived.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../../app/api.ts'
import { messageOf } from '../../../app/failures.ts'
import { keys } from '../../../app/queries.ts'
import { readLocal, writeLocal } from '../../../dom/browser-storage.ts'
import { forgetUnsent, keepUnsent, readUnsent } from '../../../saved/unsent.ts'

export interface NewComment {
  name: string
  text: string
  at: number
  out: number | null
  version: number
  replyTo: string | null
}

export interface Unsent extends NewComment {
  secret: string
  /** Null while it is being sent. */
  problem: string | null
}

const secretsKey = 'comment-secrets'

export function useUnsent(token: string, pass: string | undefined) {
  const queries = useQueryClient()
  const name = `comments-${token.slice(0, 8)}`
  const [unsent, setUnsent] = useState(() => readUnsent(name, interrupted) ?? [])
  useEffect(() => {
    if (unsent.length > 0) keepUnsent(name, unsent)
    else forgetUnsent(name)
  }, [name, unsent])
  const send = useCallback(
    async (comment: Unsent): Promise<void> => {
      const { secret, replyTo, problem: _, ...body } = comment
      const isThis = (item: Unsent) => item.secret === secret
      setUnsent((before) =>
        before.map((item) => (isThis(item) ? { ...item, problem: null } : item)),
      )
      try {
        const { comment: sent } = await api.addSharedComment({
          params: { token },
          query: pass ? { pass } : {},
          body: { ...body, device_secret: secret, ...(replyTo ? { reply_to: replyTo } : {}) },
        })
        keepSecret(sent.id, secret)
        setUnsent((before) => before.filter((item) => !isThis(item)))
        await queries.invalidateQueries({ queryKey: [...keys.sharedComments, token] })
      } catch (error) {
        const problem = messageOf(error, 'Check your connection.')
        setUnsent((before) => before.map((item) => (isThis(item) ? { ...item, problem } : item)))
      }
    },
    [token, pass, queries],
  )
  const waiting = useRef(unsent)
  useEffect(() => {
    waiting.current = unsent
  })
  useEffect(() => {
    const again = (): void => {
      for (const comment of waiting.current) if (comment.problem !== null) void send(comment)
    }
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [send])
  const add = (comment: NewComment): void => {
    const next = { ...comment, secret: newSecret(), problem: null }
    setUnsent((before) => [...before, next])
    void send(next)
  }
  return { unsent, add, send }
}

/** By the id of a comment, the secret with which this device may change it. */
export function readSecrets(): Record<string, string> {
  try {
    return JSON.parse(readLocal(secretsKey) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

function keepSecret(id: string, secret: string): void {
  const kept = Object.entries(readSecrets()).slice(-100)
  writeLocal(secretsKey, JSON.stringify({ ...Object.fromEntries(kept), [id]: secret }))
}

/** A comment that was on its way when the page was left waits for a press of Retry. */
function interrupted(kept: readonly Unsent[]): readonly Unsent[] {
  return kept.map((item) => ({ ...item, problem: item.problem ?? 'The page was left.' }))
}

/** 256 random bits as base64url. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const signs: Record<string, string> = { '+': '-', '/': '_', '=': '' }
  return btoa(String.fromCharCode(...bytes)).replaceAll(/[+/=]/g, (sign) => signs[sign] ?? '')
}

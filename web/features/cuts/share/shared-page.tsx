/** A shared cut or review: player, scrubber and comments, without the app around it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Keyboard } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { CallError } from '../../../../contract/endpoint.ts'
import type { SharedView } from '../../../../contract/footage/shares.ts'
import { api } from '../../../app/api.ts'
import { isMissingCall, isOutage, messageOf } from '../../../app/failures.ts'
import { date } from '../../../app/format.ts'
import { keys } from '../../../app/queries.ts'
import { readTab, writeTab } from '../../../dom/browser-storage.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { toggleFullScreen } from '../../../dom/full-screen.ts'
import { TextField } from '../../../ui/field.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { ShortcutsDialog, useShortcuts } from '../../../keys/shortcuts.tsx'
import type { Shortcut } from '../../../keys/shortcuts.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useCutView } from '../cut-view.ts'
import { createCutPlayer } from '../player/cut-player.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { CutViewer } from '../player/cut-viewer.tsx'
import { Captions } from './captions.tsx'
import { commentsNow } from './comment-places.ts'
import { isBeingMade, linkProgram, proxyText } from './link-proxy.ts'
import { SharedComments } from './shared-comments.tsx'
import { SharedTransport } from './shared-transport.tsx'

const watchMs = 30_000
const makingMs = 2000

export function SharedPage({ token }: { token: string }) {
  const passKey = `share-pass-${token.slice(0, 8)}`
  const [pass, setPass] = useState(() => readTab(passKey) ?? undefined)
  const query = pass ? { pass } : {}
  const { data, error, refetch } = useQuery({
    queryKey: ['shared', token, pass],
    queryFn: ({ signal }) => api.getShared({ params: { token }, query }, { signal }),
    refetchInterval: ({ state }) =>
      isBeingMade(state.data?.shared.proxy ?? null) ? makingMs : watchMs,
  })
  // A new version never takes the place of the one that is being watched.
  const [shown, setShown] = useState<SharedView | null>(null)
  const view = shown ?? data?.shared
  if (data && data.shared !== shown && (!shown || isInPlace(shown, data.shared))) {
    setShown(data.shared)
  }
  if (error && isRefused(error, 'forbidden')) {
    return (
      <Password
        token={token}
        message={messageOf(error, 'This link asks for a password.')}
        onPass={(next) => {
          writeTab(passKey, next)
          setPass(next)
        }}
      />
    )
  }
  if (error && isRefused(error, 'gone', 'not_found', 'malformed')) {
    const otherwise = 'This link does not lead anywhere. Please ask its sender for a new one.'
    return <Line>{isRefused(error, 'gone') ? messageOf(error, otherwise) : otherwise}</Line>
  }
  if (view) {
    const isNew = data !== undefined && data.shared.version > view.version
    return (
      <Loaded
        token={token}
        pass={pass}
        shared={view}
        newVersion={isNew ? data.shared.version : null}
        onNewVersion={() => data && setShown(data.shared)}
      />
    )
  }
  if (!error) {
    return (
      <div role="status" aria-label="Loading" className="flex h-dvh flex-col gap-4 p-4">
        <Skeleton className="h-8 w-60" />
        <Skeleton className="grow" />
      </div>
    )
  }
  if (isMissingCall(error) || !isOutage(error))
    return <Line>This link does not lead anywhere.</Line>
  return (
    <div className="m-auto p-4">
      <LoadFailure onRetry={() => void refetch()} />
    </div>
  )
}

/** Where nothing plays yet or any more, or the same version plays from elsewhere now. */
function isInPlace(shown: SharedView, next: SharedView): boolean {
  const [playing, following] = [shown.proxy.proxy, next.proxy.proxy]
  const isMoved = playing?.url !== following?.url && next.version === shown.version
  return !playing || !following || isMoved
}

function isRefused(error: unknown, ...codes: CallError['code'][]): boolean {
  return error instanceof CallError && codes.includes(error.code)
}

function Line({ children }: { children: ReactNode }) {
  return (
    <div className="grid h-dvh place-items-center p-6">
      <h1 className="text-center text-md font-medium">{children}</h1>
    </div>
  )
}

function Password({
  token,
  message,
  onPass,
}: {
  token: string
  message: string
  onPass: (pass: string) => void
}) {
  const [password, setPassword] = useState('')
  const open = useMutation({
    mutationFn: () => api.openShare({ params: { token }, body: { password } }),
    onSuccess: ({ pass }) => onPass(pass),
  })
  return (
    <form
      className="m-auto flex w-full max-w-80 flex-col gap-3 p-6"
      onSubmit={(event) => {
        event.preventDefault()
        open.mutate()
      }}
    >
      <h1 className="text-md font-medium">{message}</h1>
      <TextField
        label="Password"
        type="password"
        value={password}
        error={open.error ? messageOf(open.error, 'Please try again.') : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button look="primary" type="submit" busy={open.isPending}>
        Open
      </Button>
    </form>
  )
}

function Loaded({
  token,
  pass,
  shared,
  newVersion,
  onNewVersion,
}: {
  token: string
  pass: string | undefined
  shared: SharedView
  newVersion: number | null
  onNewVersion: () => void
}) {
  const sources = useMemo(
    () => shared.sources.map((source) => ({ ...source, job_id: null, pictures: noPictures })),
    [shared.sources],
  )
  const words = useMemo(
    () => ({ transcripts: shared.transcripts, isComplete: true }),
    [shared.transcripts],
  )
  const view = useCutView(shared, sources, words)
  const [player] = useState(createCutPlayer)
  const frame = useRef<HTMLDivElement>(null)
  const composer = useRef<HTMLTextAreaElement>(null)
  const [marks, setMarks] = useState(noMarks)
  const [hasCaptions, setCaptions] = useState(true)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const { proxy } = shared.proxy
  const program = useMemo(() => linkProgram(view, { proxy }), [view, proxy])
  useEffect(() => player.load(program), [player, program])
  useEffect(() => {
    document.title = `${shared.name} · CutIndex`
  }, [shared.name])
  const comments = useQuery({
    queryKey: [...keys.sharedComments, token, pass],
    queryFn: ({ signal }) =>
      api.listSharedComments({ params: { token }, query: pass ? { pass } : {} }, { signal }),
    refetchInterval: watchMs,
    select: (answer) => ({ comments: commentsNow(answer.comments) }),
  })
  const list = comments.data?.comments ?? []
  const toComment = (direction: 1 | -1) => {
    const starts = list.map((comment) => comment.at).sort((x, y) => x - y)
    const here = player.frame()
    const to = direction > 0 ? starts.find((at) => at > here) : starts.findLast((at) => at < here)
    if (to !== undefined) player.seek(to)
  }
  const fullScreen = () => toggleFullScreen(frame.current)
  const shortcuts = useSharedShortcuts(player, {
    write: () => composer.current?.focus(),
    mark: (change) => setMarks({ ...marks, ...change }),
    toComment,
    fullScreen,
    help: () => setHelpOpen(true),
  })
  return (
    <div className="flex h-dvh min-h-150 flex-col">
      <Header
        shared={shared}
        newVersion={newVersion}
        onNewVersion={onNewVersion}
        onHelp={() => setHelpOpen(true)}
      />
      <div className="grid min-h-0 grow grid-cols-[minmax(0,1fr)] max-[900px]:grid-rows-[auto_minmax(0,1fr)] min-[900px]:grid-cols-[minmax(0,1fr)_392px]">
        <div className="flex min-h-0 flex-col">
          <div className="min-h-0 grow bg-surround max-[900px]:aspect-video max-[900px]:max-h-[45dvh] min-[900px]:p-4 dark:bg-[oklch(0%_0_0)]">
            <CutViewer
              player={player}
              frame={frame}
              note={<ProxyNote shared={shared} />}
              captions={hasCaptions && <Captions view={view} player={player} />}
            />
          </div>
          <SharedTransport
            view={view}
            player={player}
            comments={list}
            hasCaptions={hasCaptions}
            onCaptions={() => setCaptions(!hasCaptions)}
            onComment={toComment}
            onFullScreen={fullScreen}
          />
        </div>
        <SharedComments
          token={token}
          pass={pass}
          shared={shared}
          view={view}
          player={player}
          comments={comments}
          marks={marks}
          onMarks={setMarks}
          composer={composer}
        />
      </div>
      <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-line bg-panel px-4 text-xs text-ink-3 max-sm:hidden">
        <a href="/" className="flex items-center gap-2 hover:text-ink">
          <Mark size={13} /> Review on CutIndex
        </a>
        <span className="grow" />
        {proxy?.height && <span>Streaming copy, {proxy.height}p</span>}
        <a href="/privacy" className="hover:text-ink">
          Privacy
        </a>
      </footer>
      {isHelpOpen && <ShortcutsDialog shortcuts={shortcuts} onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

function Header({
  shared,
  newVersion,
  onNewVersion,
  onHelp,
}: {
  shared: SharedView
  newVersion: number | null
  onNewVersion: () => void
  onHelp: () => void
}) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-4 border-b border-line bg-panel px-4">
      <h1 className="min-w-0 truncate font-semibold">{shared.name}</h1>
      <p className="whitespace-nowrap text-ink-2 max-sm:ml-auto">Version {shared.version}</p>
      {newVersion !== null && <Button onClick={onNewVersion}>Version {newVersion} is here</Button>}
      <p className="truncate text-ink-3 max-sm:hidden">
        {shared.project_name && `${shared.project_name} · `}shared by {shared.shared_by}
      </p>
      <span className="grow max-sm:hidden" />
      <p className="whitespace-nowrap text-xs text-ink-3 max-sm:hidden">
        Link open until {date(shared.expires_at)}
      </p>
      <IconButton label="Keyboard shortcuts (?)" onClick={onHelp} className="max-sm:hidden">
        <Keyboard size={15} aria-hidden />
      </IconButton>
    </header>
  )
}

function useSharedShortcuts(
  player: CutPlayer,
  act: {
    write: () => void
    mark: (change: Partial<typeof noMarks>) => void
    toComment: (direction: 1 | -1) => void
    fullScreen: () => void
    help: () => void
  },
): readonly Shortcut[] {
  const { mark, toComment } = act
  const shortcuts: Shortcut[] = [
    { keys: [' '], label: 'Play or pause', run: player.toggle },
    { keys: ['j'], label: 'Play backwards', run: () => player.shuttle(-1) },
    { keys: ['k'], label: 'Stop', run: player.stop },
    { keys: ['l'], label: 'Play forwards', run: () => player.shuttle(1) },
    { keys: ['ArrowLeft'], label: 'Back one frame', run: () => player.step(-1) },
    { keys: ['ArrowRight'], label: 'Forward one frame', run: () => player.step(1) },
    { keys: ['c'], label: 'Comment', run: act.write },
    { keys: ['i'], label: 'Start of a range', run: () => mark({ from: player.frame() }) },
    { keys: ['o'], label: 'End of a range', run: () => mark({ to: player.frame() + 1 }) },
    { keys: ['x'], label: 'No range', run: () => mark(noMarks) },
    { keys: ['Shift+ArrowUp'], label: 'Previous comment', run: () => toComment(-1) },
    { keys: ['Shift+ArrowDown'], label: 'Next comment', run: () => toComment(1) },
    { keys: ['m'], label: 'Mute', run: player.toggleSound },
    { keys: ['f'], label: 'Full screen', run: act.fullScreen },
    { keys: ['?'], label: 'Keyboard shortcuts', run: act.help },
  ]
  useShortcuts(shortcuts)
  return shortcuts
}

const noMarks: { from: number | null; to: number | null } = { from: null, to: null }

/** The clips' own files are not part of a link. */
const noPictures = { proxy: null, poster_url: null, sprite: null, waveform: null }

function ProxyNote({ shared }: { shared: SharedView }) {
  const { proxy, shared_by: sender } = shared
  return (
    <p>
      Picture follows
      <span className="block text-xs text-ink-3">
        {proxy.state === 'failed' ? `Please ask ${sender} for it.` : proxyText(proxy)}
      </span>
    </p>
  )
}

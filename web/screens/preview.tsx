import { Search } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { colourPresets } from '../dom/theme.ts'
import { AlertDialog } from '../ui/alert-dialog.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../ui/button.tsx'
import { Checkbox, Switch } from '../ui/checkbox.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { Kbd } from '../keys/kbd.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { Panel } from '../ui/panel.tsx'
import { Progress } from '../ui/progress.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Slider } from '../ui/slider.tsx'
import { Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { showToast } from '../ui/toast.tsx'
import type { ToastType } from '../ui/toast.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

const themes = ['dark', 'light'] as const
const toastTypes: readonly ToastType[] = ['success', 'error', 'info', 'warning']

/** Every part of the design system in every state, theme and preset. */
export function Preview() {
  return (
    <div className="grid gap-px bg-line lg:grid-cols-2">
      <h1 className="sr-only">Preview of every part</h1>
      {themes.flatMap((theme) =>
        colourPresets.map((preset) => (
          <section
            key={theme + preset}
            aria-label={`${theme} ${preset}`}
            data-theme={theme}
            data-preset={preset}
            className="flex flex-col gap-5 bg-page p-5 text-ink"
          >
            <h2 className="text-lg font-semibold capitalize">
              {preset}, {theme}
            </h2>
            <Colours />
            <Buttons />
            <Fields />
            <Overlays />
            <Feedback />
            <Lists />
          </section>
        )),
      )}
    </div>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1.5 text-xs text-ink-3">{name}</h3>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}

function Colours() {
  const swatches = [
    'bg-page',
    'bg-panel',
    'bg-raised',
    'bg-hover',
    'bg-line',
    'bg-line-strong',
    'bg-surround',
    'bg-brand',
    'bg-lane-shot-a',
    'bg-lane-shot-b',
    'bg-lane-talk',
    'bg-lane-audio',
    'bg-lane-cut',
  ]
  return (
    <Row name="Surfaces and lanes">
      {swatches.map((swatch) => (
        <span
          key={swatch}
          title={swatch}
          className={`size-8 rounded-sm border border-line ${swatch}`}
        />
      ))}
      <p className="w-full text-ink">
        Ink <span className="text-ink-2">second</span> <span className="text-ink-3">third</span>{' '}
        <span className="text-brand-ink">brand</span>{' '}
        <span className="timecode">01:00:04:12 $12.345</span>
      </p>
    </Row>
  )
}

function Buttons() {
  return (
    <>
      <Row name="Buttons">
        <Button look="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button look="quiet">Quiet</Button>
        <Button look="danger">Danger</Button>
        <ButtonLink to="/preview">Link</ButtonLink>
        <IconButton label="Find">
          <Search size={14} aria-hidden />
        </IconButton>
      </Row>
      <Row name="Disabled, busy, sizes">
        <Button look="primary" disabled>
          Disabled
        </Button>
        <Button look="primary" busy>
          Saving...
        </Button>
        <Button size="md">Medium</Button>
        <Button size="lg">Large</Button>
      </Row>
    </>
  )
}

function Fields() {
  const [seconds, setSeconds] = useState(300)
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Name" placeholder="Placeholder" hint="A hint" />
        <TextField label="Address" defaultValue="not a url" error="Please enter a URL" />
        <TextField label="Disabled" disabled defaultValue="Read only" />
        <Select
          label="Expiry"
          options={[
            { value: '30', label: '30 days' },
            { value: '365', label: '365 days' },
          ]}
        />
      </div>
      <Row name="Choices">
        <Checkbox label="Checked" defaultChecked hint="With a hint" />
        <Checkbox label="Unchecked" />
        <Checkbox label="Disabled" disabled />
        <Switch label="On" defaultChecked />
        <Switch label="Off" />
        <Switch label="Disabled" disabled />
      </Row>
      <Slider
        label="Seconds"
        min={1}
        max={3600}
        value={seconds}
        onChange={(event) => setSeconds(Number(event.target.value))}
      />
    </>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'alert' | null>(null)
  return (
    <Row name="Overlays">
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('alert')}>Alert dialog</Button>
      <Menu trigger={<Button>Menu</Button>}>
        <MenuItem onSelect={() => undefined}>First</MenuItem>
        <MenuItem onSelect={() => undefined} disabled>
          Disabled
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => undefined} danger>
          Delete
        </MenuItem>
      </Menu>
      <Tooltip hint="A hint beside the control">
        <Button>Tooltip</Button>
      </Tooltip>
      {toastTypes.map((type) => (
        <Button
          key={type}
          look="quiet"
          onClick={() => showToast({ type, title: `A ${type}`, message: 'It lasts four seconds.' })}
        >
          {type}
        </Button>
      ))}
      <Dialog
        open={open === 'dialog'}
        onClose={() => setOpen(null)}
        title="Dialog"
        description="What it is about"
        footer={<Button onClick={() => setOpen(null)}>Close it</Button>}
      >
        <TextField label="Field" />
      </Dialog>
      <AlertDialog
        open={open === 'alert'}
        onClose={() => setOpen(null)}
        title="Delete it?"
        question="This cannot be undone."
        confirmLabel="Delete"
        onConfirm={() => setOpen(null)}
      />
    </Row>
  )
}

function Feedback() {
  return (
    <>
      <Row name="Badges, keys, avatars">
        <Badge>Neutral</Badge>
        <Badge tone="good" dot>
          Completed
        </Badge>
        <Badge tone="brand" dot>
          Running
        </Badge>
        <Badge tone="bad" dot>
          Failed
        </Badge>
        <Badge tone="warn">Expired</Badge>
        <Kbd>J</Kbd>
        <Kbd>Space</Kbd>
        <Avatar name="Ada" />
        <Avatar name="Ada" size={40} />
      </Row>
      <Progress label="Upload" value={0.4} />
      <div className="flex flex-col gap-1.5">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    </>
  )
}

function Lists() {
  return (
    <>
      <Panel title="Panel" actions={<Button>Action</Button>}>
        <Table
          caption="Rows"
          rows={[
            { id: '3f9c2a1b', cost: '$4.80' },
            { id: '9b01c44e', cost: '$12.05' },
          ]}
          rowKey={(row) => row.id}
          columns={[
            { id: 'id', label: 'Job', cell: (row) => <code className="text-xs">{row.id}</code> },
            { id: 'cost', label: 'Cost', figures: true, cell: (row) => row.cost },
          ]}
        />
      </Panel>
      <Tabs
        label="Findings"
        tabs={[
          { id: 'a', label: 'Transcript', content: <p className="p-3">First panel</p> },
          { id: 'b', label: 'Shots', count: 38, content: <p className="p-3">Second panel</p> },
        ]}
      />
      <EmptyState title="No purchases yet" action={<Button look="primary">Buy Credits</Button>}>
        What belongs here.
      </EmptyState>
      <CodeBlock title="Code" code={'curl -sS "$CUTINDEX_API/v1/user/me"'} />
    </>
  )
}

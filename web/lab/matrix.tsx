import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { PROFILES, type Profile } from '../../lib/auth/profile.ts'
import type { Route } from '../../lib/contract/route.ts'
import { AUTH_LABELS, type AuthMethod } from '../callers.ts'
import type { Tone } from '../ui/badge.tsx'
import { Choices } from '../ui/button.tsx'
import { isPlainClick } from '../ui/links.tsx'
import { type Cell, cellKeyOf, isAsExpected, type Lab, type TryOutcome } from './lab.ts'

const NAMES = Object.keys(PROFILES) as readonly Profile[]

interface MatrixProps {
  readonly lab: Lab
  /** The key of the cell that is open, and its profile. */
  readonly current: string
  readonly linkTo: (cell: Cell, profile: Profile) => string
  readonly open: (cell: Cell, profile: Profile) => void
}

/** The endpoints of the running profile, each with a cell for every way to call it. */
export function Matrix(props: MatrixProps) {
  const { lab } = props
  return (
    <CellTable
      {...props}
      caption="The status that each endpoint answers to each way to call it"
      rows={lab.rows}
      heads={lab.authMethods.map((auth) => AUTH_LABELS[auth])}
      cellsOf={(row) => lab.authMethods.map((auth) => entryOf(row, auth, lab.running))}
    />
  )
}

interface ProfilesProps extends MatrixProps {
  readonly auth: AuthMethod
  readonly chooseAuth: (auth: AuthMethod) => void
}

/** What each profile answers to one way to call: called for real in the running profile, expected in the others. */
export function Profiles({ auth, chooseAuth, ...props }: ProfilesProps) {
  const { lab } = props
  const onlyDifferent = useSignal(false)
  const statuses = ([name, route]: Row) => NAMES.map((profile) => lab.expected({ name, route, auth }, profile).status)
  return (
    <>
      <Choices
        legend="Way to call"
        choices={Object.entries(AUTH_LABELS).map(([each, label]) => ({
          label,
          isOn: each === auth,
          choose: () => chooseAuth(each as AuthMethod),
        }))}
      >
        <button
          type="button"
          class="chip push"
          aria-pressed={onlyDifferent.value}
          onClick={() => (onlyDifferent.value = !onlyDifferent.value)}
        >
          Only differences
        </button>
      </Choices>
      <CellTable
        {...props}
        caption={`The status that each endpoint answers in each profile, called with: ${AUTH_LABELS[auth]}`}
        rows={lab.allRows.filter((row) => !onlyDifferent.value || new Set(statuses(row)).size > 1)}
        heads={NAMES.map((profile) => (
          <>
            {profile}
            <span class="small muted">{profile === lab.running ? 'called' : 'expected'}</span>
          </>
        ))}
        cellsOf={(row) => NAMES.map((profile) => entryOf(row, auth, profile, `, profile ${profile}`))}
      />
    </>
  )
}

type Row = readonly [name: string, route: Route]

/** What a cell of the table stands for. */
interface Entry {
  readonly cell: Cell
  readonly profile: Profile
  readonly key: string
  /** The call in words. */
  readonly label: string
}

function entryOf([name, route]: Row, auth: AuthMethod, profile: Profile, more = ''): Entry {
  const cell = { name, route, auth }
  const label = `${route.method} ${route.path}, ${AUTH_LABELS[auth]}${more}`
  return { cell, profile, key: `${cellKeyOf(cell)} ${profile}`, label }
}

interface CellTableProps extends MatrixProps {
  readonly caption: string
  readonly rows: readonly Row[]
  readonly heads: readonly ComponentChildren[]
  readonly cellsOf: (row: Row) => readonly Entry[]
}

/** A row for each endpoint; a path too long for its head is in the tooltip. Tab stops at one cell alone. */
function CellTable({ lab, current, linkTo, open, caption, rows, heads, cellsOf }: CellTableProps) {
  const [top] = rows
  const stop = current || (top && cellsOf(top)[0]?.key)
  return (
    <table class="matrix">
      <caption class="hide">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          {heads.map((head, index) => (
            <th scope="col" key={index}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const [name, { method, path }] = row
          return (
            <tr key={name}>
              <th scope="row" class="fill" title={`${method} ${path}`}>
                <code>
                  <span class="muted">{method}</span> {path}
                </code>
              </th>
              {cellsOf(row).map(({ cell, profile, key, label }) => (
                <td key={key}>
                  <CellLink
                    look={lookOf(lab, cell, profile)}
                    label={label}
                    address={linkTo(cell, profile)}
                    isOpen={key === current}
                    isStop={key === stop}
                    columns={heads.length}
                    open={() => open(cell, profile)}
                  />
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** What a cell shows. */
interface CellLook {
  readonly text: string
  /** Undefined for an expectation that was not tried. */
  readonly tone: Tone | undefined
}

function lookOf(lab: Lab, cell: Cell, profile: Profile): CellLook {
  const outcome = profile === lab.running ? lab.outcomes.value.get(cellKeyOf(cell)) : undefined
  return outcome ? outcomeLook(outcome) : { text: String(lab.expected(cell, profile).status), tone: undefined }
}

function outcomeLook(outcome: TryOutcome): CellLook {
  if (outcome.kind === 'failed') return { text: '✗', tone: 'bad' }
  const { status } = outcome.exchange
  if (!isAsExpected(outcome)) return { text: `✗ ${status}`, tone: 'bad' }
  if (status < 400) return { text: String(status), tone: 'ok' }
  return { text: String(status), tone: status === 401 || status === 403 ? 'wait' : 'note' }
}

interface CellLinkProps {
  readonly look: CellLook
  readonly label: string
  readonly address: string
  readonly isOpen: boolean
  /** Whether Tab stops here; arrow keys lead to the others. */
  readonly isStop: boolean
  /** Cells in a row. */
  readonly columns: number
  readonly open: () => void
}

/** A link that opens a cell beside the matrix. */
function CellLink({ look: { text, tone }, label, address, isOpen, isStop, columns, open }: CellLinkProps) {
  return (
    <a
      class={tone === undefined ? 'cell due' : 'cell'}
      data-tone={tone}
      href={address}
      aria-current={isOpen ? 'true' : undefined}
      tabIndex={isStop ? 0 : -1}
      onKeyDown={(event) => moveBetweenCells(event, columns)}
      onClick={(click) => {
        if (!isPlainClick(click)) return
        click.preventDefault()
        open()
      }}
    >
      {text}
      <span class="hide">
        {tone === undefined && ' expected'}: {label}
      </span>
    </a>
  )
}

type KeyOfCell = KeyboardEvent & { readonly currentTarget: HTMLElement }

function moveBetweenCells(event: KeyOfCell, columns: number): void {
  const { key, currentTarget: cell } = event
  const cells = [...(cell.closest('table')?.querySelectorAll<HTMLElement>('.cell') ?? [])]
  const at = cells.indexOf(cell)
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at % columns === 0 ? 0 : -1,
    ArrowRight: (at + 1) % columns === 0 ? 0 : 1,
    ArrowUp: -columns,
    ArrowDown: columns,
  }
  const next = cells[at + (steps[key] ?? Number.NaN)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

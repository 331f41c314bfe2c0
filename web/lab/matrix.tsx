import type { Route } from '../../lib/contract/route.ts'
import { WAY_LABELS } from '../callers/ways.ts'
import { CellLink } from './cell-link.tsx'
import { type Cell, cellKeyOf, type Lab } from './lab.ts'
import { cellLookOf } from './looks.ts'

interface MatrixProps {
  readonly lab: Lab
  /** The key of the cell that is open. */
  readonly current: string
  readonly linkTo: (cell: Cell) => string
  readonly open: (cell: Cell) => void
}

/** The endpoints of the running profile, each with a cell for every way to call it. */
export function Matrix({ lab, current, linkTo, open }: MatrixProps) {
  const { rows, ways, outcomes } = lab
  const first = current || cellKeyOf({ name: rows[0]?.[0] ?? '', way: 'none' })
  return (
    <table class="matrix">
      <caption class="hide">The status that each endpoint answers to each way to call it</caption>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          {ways.map((way) => (
            <th scope="col" key={way}>
              {WAY_LABELS[way]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, route]) => (
          <tr key={name}>
            <EndpointHead route={route} />
            {ways.map((way) => {
              const cell = { name, route, way }
              const key = cellKeyOf(cell)
              return (
                <td key={way}>
                  <CellLink
                    {...cellLookOf(outcomes.value.get(key), lab.expected(cell).status)}
                    label={`${route.method} ${route.path}, ${WAY_LABELS[way]}`}
                    address={linkTo(cell)}
                    isOpen={key === current}
                    isStop={key === first}
                    columns={ways.length}
                    open={() => open(cell)}
                  />
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The head of a row; a path too long for it is in the tooltip. */
export function EndpointHead({ route: { method, path } }: { readonly route: Route }) {
  return (
    <th scope="row" class="fill" title={`${method} ${path}`}>
      <code>
        <span class="muted">{method}</span> {path}
      </code>
    </th>
  )
}

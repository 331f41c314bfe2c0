import { useSignal } from '@preact/signals'
import { PROFILES, type Profile } from '../../lib/auth/profile.ts'
import type { Route } from '../../lib/contract/route.ts'
import { WAY_LABELS, type Way } from '../callers/ways.ts'
import { CellLink } from './cell-link.tsx'
import { type Cell, cellKeyOf, type Lab } from './lab.ts'
import { cellLookOf } from './looks.ts'
import { EndpointHead } from './matrix.tsx'

const NAMES = Object.keys(PROFILES) as readonly Profile[]

interface ProfilesProps {
  readonly lab: Lab
  readonly way: Way
  /** The cell and the profile that are open. */
  readonly current: string
  readonly linkTo: (cell: Cell, profile: Profile) => string
  readonly open: (cell: Cell, profile: Profile) => void
  readonly chooseWay: (way: Way) => void
}

/** What each profile answers to one way to call: called for real in the running profile, expected in the others. */
export function Profiles({ lab, way, current, linkTo, open, chooseWay }: ProfilesProps) {
  const onlyDifferent = useSignal(false)
  const statuses = ([name, route]: readonly [string, Route]) =>
    NAMES.map((profile) => lab.expected({ name, route, way }, profile).status)
  const rows = lab.allRows.filter((row) => !onlyDifferent.value || new Set(statuses(row)).size > 1)
  const keyOf = (cell: Cell, profile: Profile) => `${cellKeyOf(cell)} ${profile}`
  const first = current || `${rows[0]?.[0]}.${way} ${NAMES[0]}`
  return (
    <>
      <fieldset class="bar chips plain">
        <legend class="hide">Way to call</legend>
        {Object.entries(WAY_LABELS).map(([each, label]) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={each === way}
            onClick={() => chooseWay(each as Way)}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          class="chip push"
          aria-pressed={onlyDifferent.value}
          onClick={() => (onlyDifferent.value = !onlyDifferent.value)}
        >
          Only differences
        </button>
      </fieldset>
      <table class="matrix">
        <caption class="hide">
          The status that each endpoint answers in each profile, called with: {WAY_LABELS[way]}
        </caption>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            {NAMES.map((profile) => (
              <th scope="col" key={profile}>
                {profile}
                <span class="small muted">{profile === lab.running ? 'called' : 'expected'}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, route]) => (
            <tr key={name}>
              <EndpointHead route={route} />
              {NAMES.map((profile) => {
                const cell = { name, route, way }
                const outcome = profile === lab.running ? lab.outcomes.value.get(cellKeyOf(cell)) : undefined
                return (
                  <td key={profile}>
                    <CellLink
                      {...cellLookOf(outcome, lab.expected(cell, profile).status)}
                      label={`${route.method} ${route.path}, ${WAY_LABELS[way]}, profile ${profile}`}
                      address={linkTo(cell, profile)}
                      isOpen={keyOf(cell, profile) === current}
                      isStop={keyOf(cell, profile) === first}
                      columns={NAMES.length}
                      open={() => open(cell, profile)}
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

import type { ComponentChildren } from 'preact'
import type { Tone } from './badge.tsx'
import { Steps, StepView } from './steps.tsx'

/** One check of a decision. */
export interface CheckStep {
  readonly title: string
  readonly about?: ComponentChildren
  /** `open`: not known here. */
  readonly result: 'passed' | 'refused' | 'unreached' | 'open'
  /** At the right: what was expected, or what was found. */
  readonly note?: string
  /** The code of the refusal. */
  readonly code?: string
  /** Where the refusal is in the source. */
  readonly place?: string
}

const LOOKS: Readonly<Record<CheckStep['result'], { readonly tone: Tone; readonly icon: string; text: string }>> = {
  passed: { tone: 'ok', icon: 'ok', text: 'passed' },
  refused: { tone: 'bad', icon: 'bad', text: 'refused' },
  unreached: { tone: 'note', icon: 'dash', text: 'not reached' },
  open: { tone: 'wait', icon: 'info', text: 'ask the service' },
}

/** Checks in the order in which they run, each passed, refused or not reached. */
export function CheckSteps({ steps }: { readonly steps: readonly CheckStep[] }) {
  return (
    <Steps>
      {steps.map(({ title, about, result, note, code, place }) => {
        const { tone, icon, text } = LOOKS[result]
        return (
          <StepView key={title} tone={tone} icon={icon} title={title} about={about} time={note ?? text}>
            {code !== undefined && (
              <code class="tone" data-tone="bad">
                {code}
              </code>
            )}
            {place !== undefined && (
              <span class="muted">
                Refused in <code>{place}</code>
              </span>
            )}
          </StepView>
        )
      })}
    </Steps>
  )
}

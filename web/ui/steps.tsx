import { type ComponentChildren, toChildArray } from 'preact'
import type { Look, Tone } from './badge.tsx'
import { Icon } from './icon.tsx'
import { asForeign } from './text.tsx'

/** Things one below the other, in the order in which they happened. */
export function Steps({ children }: { readonly children: ComponentChildren }) {
  return <ol class="steps">{children}</ol>
}

interface StepProps {
  readonly tone: Tone
  /** By default the symbol of the tone. */
  readonly icon?: string
  readonly title: ComponentChildren
  /** After the title, less loud. */
  readonly about?: ComponentChildren
  /** At the right: when it was, or a figure. */
  readonly time?: ComponentChildren
  readonly children?: ComponentChildren
}

export function StepView({ tone, icon = tone, title, about, time, children }: StepProps) {
  return (
    <li>
      <span class="tone" data-tone={tone}>
        <Icon name={icon} />
      </span>
      <span class="wrap">
        <b>{asForeign(title)}</b> {about !== undefined && <span class="muted">{asForeign(about)}</span>}
      </span>
      <span class="small muted num">{asForeign(time)}</span>
      {hasContent(children) && <div class="small stack tight wrap">{asForeign(children)}</div>}
    </li>
  )
}

function hasContent(children: ComponentChildren): boolean {
  return toChildArray(children).length > 0
}

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

const LOOKS: Readonly<Record<CheckStep['result'], Look>> = {
  passed: { tone: 'ok', label: 'passed' },
  refused: { tone: 'bad', label: 'refused' },
  unreached: { tone: 'note', icon: 'dash', label: 'not reached' },
  open: { tone: 'wait', icon: 'info', label: 'ask the service' },
}

/** Checks in the order in which they run, each passed, refused or not reached. */
export function CheckSteps({ steps }: { readonly steps: readonly CheckStep[] }) {
  return (
    <Steps>
      {steps.map(({ title, about, result, note, code, place }) => {
        const { label, ...look } = LOOKS[result]
        return (
          <StepView key={title} {...look} title={title} about={about} time={note ?? label}>
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

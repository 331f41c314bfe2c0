import { READINGS, type TokenVerdict } from './verdict.ts'

/** The service's judgment of a token. */
export interface Verification {
  readonly verdict: TokenVerdict
  readonly at: Date
  /** The answer, unparsed. */
  readonly text: string
}

export function VerificationView({ verdict, at, text }: Verification) {
  const { tone, text: words } = READINGS[verdict]
  return (
    <>
      <p>
        <strong class="badge large" data-tone={tone}>
          {verdict}
        </strong>
      </p>
      <p>{words}</p>
      <p class="muted">
        Asked at <time dateTime={at.toISOString()}>{at.toISOString()}</time>
      </p>
      <details>
        <summary>The answer</summary>
        <pre class="wrapped">{text}</pre>
      </details>
    </>
  )
}

import { optional, parsed, text } from '../config.ts'

/** What the packages of OpenTelemetry read themselves. A function reads whether there is an address, and nothing else. */
export const telemetrySettings = {
  /**
   * Where [traces and metrics](operations.md#telemetry) go, by OTLP over HTTP in protobuf: the base address, such as
   * `http://127.0.0.1:4318` @default none
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    parsed((given) => {
      if (/^https?:/.test(`${URL.parse(given)?.protocol}`)) return given
      throw new Error('must be an http or https address')
    }),
  ),
  /**
   * Headers for that address, as `name=value,name=value`; all who may read the configuration of a function see them
   * @default none
   */
  OTEL_EXPORTER_OTLP_HEADERS: optional(text),
  /** Attributes of this service there, as `deployment.environment.name=prod` @default none */
  OTEL_RESOURCE_ATTRIBUTES: optional(text),
}

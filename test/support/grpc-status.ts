import { fromBinary } from '@bufbuild/protobuf'
import { anyUnpack } from '@bufbuild/protobuf/wkt'
import type { Metadata } from '@grpc/grpc-js'
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../../proto/gen/google/rpc/error_details_pb.ts'
import { StatusSchema } from '../../proto/gen/google/rpc/status_pb.ts'

interface RichStatus {
  readonly code: number
  readonly message: string
  readonly reason: string | undefined
  readonly domain: string | undefined
  readonly facts: Readonly<Record<string, string>>
  readonly retrySeconds: number | undefined
  readonly violations: readonly (readonly [field: string, description: string])[]
}

/** What a failed call tells besides its code and its text. */
export function richStatusOf(metadata: Metadata | undefined): RichStatus {
  const [bytes] = metadata?.get('grpc-status-details-bin') ?? []
  const { code, message, details } = fromBinary(StatusSchema, bytes instanceof Buffer ? bytes : new Uint8Array())
  const [info] = details.flatMap((any) => anyUnpack(any, ErrorInfoSchema) ?? [])
  const [retry] = details.flatMap((any) => anyUnpack(any, RetryInfoSchema) ?? [])
  const violations = details.flatMap((any) => anyUnpack(any, BadRequestSchema)?.fieldViolations ?? [])
  return {
    code,
    message,
    reason: info?.reason,
    domain: info?.domain,
    facts: info?.metadata ?? {},
    retrySeconds: retry && Number(retry.retryDelay?.seconds),
    violations: violations.map(({ field, description }) => [field, description]),
  }
}

import { createRegistry, type DescFile, type DescService, type Registry, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { status as Code } from '@grpc/grpc-js'
import { ServerReflection, type ServerReflectionRequest } from '../../proto/gen/grpc/reflection/v1/reflection_pb.ts'
import { type Served, serve } from './serve.ts'

type Question = ServerReflectionRequest['messageRequest']

/**
 * Describes the services to callers: https://github.com/grpc/grpc/blob/master/doc/server-reflection.md. The package
 * @grpc/reflection omits the imports of a file (grpc/grpc-node#3018).
 */
export function reflectionOf(services: readonly DescService[]): Served {
  const answer = answersOf([...services, ServerReflection])
  return serve(ServerReflection, {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) {
        yield { originalRequest: request, validHost: request.host, messageResponse: answer(request.messageRequest) }
      }
    },
  })
}

/** Answers each question; exported for tests too. An unknown name is an answer of the stream, and does not end it. */
export function answersOf(services: readonly DescService[]) {
  const files = withImports(services.map(({ file }) => file))
  const registry = createRegistry(...files)

  function fileResponse(file: DescFile | undefined) {
    if (!file) return NOT_FOUND
    const fileDescriptorProto = withImports([file]).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto))
    return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } } as const
  }

  return (question: Question) => {
    switch (question.case) {
      case 'fileByFilename':
        return fileResponse(files.find(({ proto }) => proto.name === question.value))
      case 'fileContainingSymbol':
        return fileResponse(fileOf(question.value, registry))
      case 'allExtensionNumbersOfType':
        if (!registry.getMessage(question.value)) return NOT_FOUND
        return { case: 'allExtensionNumbersResponse', value: { baseTypeName: question.value } } as const
      case 'listServices':
        return {
          case: 'listServicesResponse',
          value: { service: services.map(({ typeName }) => ({ name: typeName })) },
        } as const
      case 'fileContainingExtension':
      case undefined:
        return NOT_FOUND
    }
  }
}

const NOT_FOUND = {
  case: 'errorResponse',
  value: { errorCode: Code.NOT_FOUND, errorMessage: 'Nothing of that name' },
} as const

/** The file that declares a type or a service, or the method, field or value of one. */
function fileOf(symbol: string, registry: Registry): DescFile | undefined {
  const owner = symbol.slice(0, Math.max(0, symbol.lastIndexOf('.')))
  return (registry.get(symbol) ?? registry.get(owner))?.file
}

function withImports(files: readonly DescFile[]): readonly DescFile[] {
  const found = new Set<DescFile>()
  const visit = (file: DescFile): void => {
    if (found.has(file)) return
    found.add(file)
    file.dependencies.forEach(visit)
  }
  files.forEach(visit)
  return [...found]
}

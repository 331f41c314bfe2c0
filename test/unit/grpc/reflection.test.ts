import { fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { status as Code } from '@grpc/grpc-js'
import { describe, expect, it } from 'vitest'
import { answersOf } from '../../../lib/grpc/reflection.ts'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { SecureService } from '../../../proto/gen/gatehouse/v1/secure_pb.ts'

type Question = Parameters<ReturnType<typeof answersOf>>[0]

const answer = answersOf([AuthService, SecureService])

function filesFor(question: Question) {
  const { case: kind, value } = answer(question)
  if (kind !== 'fileDescriptorResponse') return kind
  return value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name)
}

const AUTH = ['gatehouse/v1/auth.proto', 'gatehouse/v1/role.proto', 'google/protobuf/timestamp.proto']

describe('reflection', () => {
  it('lists the services', () => {
    expect(answer({ case: 'listServices', value: '*' })).toEqual({
      case: 'listServicesResponse',
      value: { service: [{ name: 'gatehouse.v1.AuthService' }, { name: 'gatehouse.v1.SecureService' }] },
    })
  })

  it.each([
    ['a service', 'gatehouse.v1.AuthService'],
    ['a method', 'gatehouse.v1.AuthService.WhoAmI'],
    ['a message', 'gatehouse.v1.WhoAmIResponse'],
    ['a field', 'gatehouse.v1.WhoAmIResponse.username'],
  ])('sends the file of %s, and its imports', (_, value) => {
    expect(filesFor({ case: 'fileContainingSymbol', value })).toEqual(AUTH)
  })

  it('each file names its imports', () => {
    const { value } = answer({ case: 'fileByFilename', value: 'gatehouse/v1/auth.proto' })
    const [first] = value && 'fileDescriptorProto' in value ? value.fileDescriptorProto : []
    const file = fromBinary(FileDescriptorProtoSchema, first ?? new Uint8Array())
    expect(file.dependency).toEqual(['gatehouse/v1/role.proto', 'google/protobuf/timestamp.proto'])
  })

  it.each<[string, Question]>([
    ['a file', { case: 'fileByFilename', value: 'gatehouse/v1/none.proto' }],
    ['a symbol', { case: 'fileContainingSymbol', value: 'gatehouse.v1.None' }],
    ['an empty symbol', { case: 'fileContainingSymbol', value: '' }],
    ['a type with extensions', { case: 'allExtensionNumbersOfType', value: 'gatehouse.v1.None' }],
    ['nothing', { case: undefined }],
  ])('answers NOT_FOUND for %s that does not exist, and continues', (_, question) => {
    expect(answer(question)).toMatchObject({ case: 'errorResponse', value: { errorCode: Code.NOT_FOUND } })
  })

  it('knows no extensions of an existing type', () => {
    expect(answer({ case: 'allExtensionNumbersOfType', value: 'gatehouse.v1.WhoAmIResponse' })).toEqual({
      case: 'allExtensionNumbersResponse',
      value: { baseTypeName: 'gatehouse.v1.WhoAmIResponse' },
    })
  })
})

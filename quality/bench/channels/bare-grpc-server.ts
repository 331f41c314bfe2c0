import { promisify } from 'node:util'
import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js'
import { definitionOf } from '../../../lib/grpc/serve.ts'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { measureHere } from '../probe.ts'
import { ANSWER } from './answer.ts'

const whoAmI: handleUnaryCall<unknown, unknown> = (_call, callback) => callback(null, ANSWER)

/** grpc-js with Gatehouse's answer and its codec, and nothing before the handler. */
const server = new Server()
server.addService(definitionOf(AuthService), { whoAmI })
measureHere(await promisify(server.bindAsync.bind(server))('127.0.0.1:0', ServerCredentials.createInsecure()))

import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../protocol/errors.ts'
import type { Http } from './http.ts'

/** Refuses a request that no route matches: 405 if its path has other methods, otherwise 404. */
export type RefusePath = (request: FastifyRequest, reply: FastifyReply) => AppError

/** Call it before any route is mounted: it collects the methods of each path as the routes are mounted. */
export function createPathRefusal(http: Http): RefusePath {
  const mounted: { methods: string[]; matches: (path: string) => boolean }[] = []
  http.addHook('onRoute', ({ method, url }) => {
    mounted.push({ methods: [method].flat(), matches: matcherOf(url) })
  })
  return (request, reply) => {
    const path = pathOf(request)
    const fitting = mounted.filter(({ matches }) => matches(path))
    const allowed = [...new Set(fitting.flatMap(({ methods }) => methods))].sort()
    // A GET that reaches this point matched only the route of the pages, which refused it.
    if (allowed.length === 0 || allowed.includes(request.method))
      return new AppError('not_found', 'There is nothing here')
    reply.header('allow', allowed.join(', '))
    return new AppError('method_not_allowed', `Use ${allowed.join(' or ')} for this address`)
  }
}

export const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '/'

// A path such as //evil.example names another host when it is resolved as a relative URL, so it is never a page.
export const isPage = (path: string): boolean => !/^\/api|\/\/|\\|\.\w+$/.test(path)

/** Matches paths as the router does: parameters are one segment, and a slash at the end does not matter. */
function matcherOf(url: string): (path: string) => boolean {
  if (url === '/*') return isPage
  const pattern = url
    .replace(/\/$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace('*', '.*')
  const expression = new RegExp(`^${pattern}/?$`)
  return (path) => expression.test(path)
}

declare module 'fastify' {
  interface FastifyInstance {
    refusePath: RefusePath
  }
}

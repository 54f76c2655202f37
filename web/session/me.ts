import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../app/api.ts'
import { storeUser } from './session.tsx'
import { keys } from '../app/queries.ts'

/** The signed-in user with the balance; the stored copy follows. */
export function useMe() {
  const me = useQuery({
    queryKey: keys.me,
    queryFn: ({ signal }) => api.getMe(undefined, { signal }),
  })
  useEffect(() => {
    if (me.data) storeUser(me.data)
  }, [me.data])
  return me
}

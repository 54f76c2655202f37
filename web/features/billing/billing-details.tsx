import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../../../contract/endpoint.ts'
import type { BillingDetails } from '../../../contract/account/invoices.ts'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'

const queryKey = ['billing-details']

/** The buyer, as the invoices of later purchases show them. */
export function BillingDetailsPanel() {
  const { data, isPending, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.getBillingDetails(undefined, { signal }),
  })
  if (isMissingCall(error)) return null
  return (
    <Panel title="Invoice Details">
      {isPending ? (
        <Skeleton className="h-40" />
      ) : data ? (
        <Form saved={data.details} />
      ) : (
        <LoadFailure onRetry={() => void refetch()} />
      )}
    </Panel>
  )
}

function Form({ saved }: { saved: BillingDetails }) {
  const queries = useQueryClient()
  const [details, setDetails] = useState(saved)
  const save = useMutation({
    mutationFn: () => api.saveBillingDetails({ body: details }),
    onSuccess: (answer) => {
      queries.setQueryData(queryKey, answer)
      setDetails(answer.details)
      showToast({ type: 'success', title: 'Success', message: 'Invoice details saved' })
    },
  })
  const refused = save.error instanceof CallError ? save.error : null
  const errorOf = (field: string) => (refused?.body.field === field ? refused.message : undefined)
  const set = (field: keyof BillingDetails) => (event: { currentTarget: { value: string } }) =>
    setDetails({ ...details, [field]: event.currentTarget.value })
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <p className="text-ink-3">
        Shown on the invoices of your next purchases, not on earlier ones.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Company or name"
          value={details.company}
          maxLength={200}
          autoComplete="organization"
          error={errorOf('company')}
          onChange={set('company')}
        />
        <Select
          label="Country"
          value={details.country}
          options={countryOptions()}
          autoComplete="country"
          error={errorOf('country')}
          onChange={set('country')}
        />
        <TextArea
          label="Address"
          className="h-20!"
          value={details.address}
          maxLength={500}
          autoComplete="street-address"
          onChange={set('address')}
        />
        <TextField
          label="VAT id"
          value={details.vat_id}
          maxLength={40}
          hint="With its country letters, for example DE136695976. Its form is checked, not its registration."
          error={errorOf('vat_id')}
          onChange={set('vat_id')}
        />
      </div>
      {save.error && !refused?.body.field && (
        <p role="alert" className="text-bad">
          {save.error.message}
        </p>
      )}
      <Button type="submit" look="primary" busy={save.isPending} className="self-start">
        Save
      </Button>
    </form>
  )
}

/** ISO 3166-1. */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

function countryOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'region' })
  const all = codes.split(' ').map((value) => ({ value, label: names.of(value) ?? value }))
  all.sort((a, b) => a.label.localeCompare(b.label))
  return [{ value: '', label: 'Choose a country' }, ...all]
}

import { Link } from 'react-router'
import { webhookEvents } from '../../../domain/money/catalogue.ts'
import { linkClass, Topic } from './topic.tsx'

export function WebhooksTopic() {
  return (
    <Topic id="webhooks" title="Webhooks">
      <p>
        Add a webhook in{' '}
        <Link to="/profile#webhooks" className={linkClass}>
          Profile, Webhooks
        </Link>{' '}
        or with <code>POST /v1/webhooks</code>, and we call your server when something happened:{' '}
        {webhookEvents.join(', ')}.
      </p>
      <p>
        Each call is a POST signed by the rules of standardwebhooks.com; verify{' '}
        <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>{' '}
        over the raw body with one of its libraries. The body is{' '}
        <code>{'{ type, timestamp, data }'}</code>.
      </p>
      <ul className="ml-5 list-disc">
        <li>Answer 200 to 299 within 10 seconds. Redirects are not followed.</li>
        <li>
          Anything else is tried again for 3 days. An event may arrive twice: its{' '}
          <code>webhook-id</code> stays the same. Events of one object arrive in order.
        </li>
        <li>
          After 5 days without a success the webhook is switched off and you get an e-mail. Switch
          it on and send again what it missed; events are kept for 30 days.
        </li>
        <li>After rotation the old secret stays valid for 24 hours.</li>
      </ul>
    </Topic>
  )
}

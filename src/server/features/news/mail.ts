import { createTransport } from 'nodemailer'
import { brand } from '../../../protocol/brand.ts'
import type { MailSettings } from '../../platform/channels.ts'
import type { Message, Outcome, Send } from './deliver.ts'

const SEND_MS_MAX = 10_000

export type Mailer = ReturnType<typeof createMailer>

/**
 * Sends e-mails. The Message-ID is the id of the news, so a mail program that gets the same one again can recognise it.
 * Nodemailer encodes every header. No header has a text that a user wrote, except the address, which is confirmed.
 */
export function createMailer({ url, from }: MailSettings, publicUrl: string) {
  const { host, origin } = new URL(publicUrl)
  const limits = { connectionTimeout: SEND_MS_MAX, greetingTimeout: SEND_MS_MAX, socketTimeout: SEND_MS_MAX }
  const transport = createTransport({ url, ...limits }, { from: { name: brand.name, address: from } })

  async function send(mail: Mail): Promise<Outcome> {
    try {
      await transport.sendMail({
        to: { name: '', address: mail.to },
        messageId: `<${mail.id}@${host}>`,
        subject: mail.subject,
        text: mail.text,
        headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return 'sent'
    } catch (error) {
      // The server refuses this message or this receiver for ever (RFC 5321, section 4.2.1).
      const { responseCode = 0 } = error as { responseCode?: number }
      if (responseCode >= 550 && responseCode < 560) return 'refused'
      throw error
    }
  }

  const sendNews: Send = async ({ id, title, text, link }: Message, { mailbox }) => {
    if (!mailbox) return 'gone'
    const stop = `${origin}/unsubscribe/${mailbox.stop_key}`
    const lines = [text, '', `${origin}${link}`, '', '--', `You chose e-mails on your profile. Stop them: ${stop}`]
    // One tap in the mail program, without opening a page (RFC 8058).
    const headers = {
      'List-Unsubscribe': `<${origin}/api/news/stop/${mailbox.stop_key}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    return send({ id, to: mailbox.address, subject: title, text: lines.join('\n'), headers })
  }

  const sendCode = (id: string, to: string, code: string) =>
    send({
      id,
      to,
      subject: `${code} is your ${brand.name} code`,
      text: `Enter ${code} on your profile to get e-mails from ${brand.name}. It works for half an hour.\n\nIf you did not ask for this, ignore this e-mail: nothing more will come.`,
      headers: {},
    })

  return { sendNews, sendCode }
}

type Mail = { id: string; to: string; subject: string; text: string; headers: Record<string, string> }

/** An export that cannot be made from these findings: the sentence is for the person who asked. */
export class ExportRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExportRefused'
  }
}

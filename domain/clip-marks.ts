/** Marks that an editor gives to a clip. Apart from the schemas, so that the web reads no zod. */
export const clipMarks = { reject: -1, best: 5, keywords: 30, keywordLength: 40 }

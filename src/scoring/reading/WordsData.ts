/** The lists of words that decide how a name and its arguments are read: `rules/lexicon/words/words.json`. */

export interface WordsData {
  /** Mean many, or all there is, anywhere in a name. */
  readonly bulk: ReadonlyArray<string>
  readonly everything: ReadonlyArray<string>
  /** In a name without a known verb: it may write, touch many, or reach outside. */
  readonly hints: ReadonlyArray<string>
  /** A name without a verb that ends in one of these reads it: `pods_log`, `conversations_history`. */
  readonly readings: ReadonlyArray<string>
  /** What many a noun can be in, and the nouns of acts that are: `transfer_status`, `export_history`. */
  readonly states: ReadonlyArray<string>
  readonly stateful: ReadonlyArray<string>
  /** Nouns that end in such a word and are things all the same: `import_bank_details`. Absent: none is. */
  readonly things?: ReadonlyArray<string>
  /** End the object of a verb: `add_note_to_incident`. */
  readonly prepositions: ReadonlyArray<string>
  /** Nouns that say nothing behind another one: `user record`, `secret value`. */
  readonly generic: ReadonlyArray<string>
  /** Say where a thing is taken: `to`. */
  readonly directions: ReadonlyArray<string>
  readonly conjunctions: ReadonlyArray<string>
  /** In front of a name, they say how it is called: `mcp`, `tools`. */
  readonly wrappers: ReadonlyArray<string>
  readonly production: ReadonlyArray<string>
  readonly negations: ReadonlyArray<string>
  readonly stopWords: ReadonlyArray<string>
  /** Words that look like a plural and are none, and plurals that do not look like one. */
  readonly singulars: ReadonlyArray<string>
  readonly plurals: ReadonlyArray<string>
  /** Verbs that take a thing to where the destination says. */
  readonly outward: ReadonlyArray<string>
  /** Verbs that put a thing where the destination says, which leaves if that is outside. Absent: it stays a write. */
  readonly putting?: ReadonlyArray<string>
  /**
   * What a destination is called that is one's own, or that is outside, with pairs of words; others whose name an address can hold; parts of hosts
   * that many customers share; and what public hosts end in.
   */
  readonly ownPlaces?: ReadonlyArray<string>
  readonly outsidePlaces?: ReadonlyArray<string>
  readonly otherParties?: ReadonlyArray<string>
  readonly sharedHosts?: ReadonlyArray<string>
  readonly publicEndings?: ReadonlyArray<string>
  /** Verbs that show that there is a thing, and not what it holds. */
  readonly metadata: ReadonlyArray<string>
  /** Nouns of doings and of what does them: a name of nouns that ends in one reads nothing, it does something. */
  readonly doings: ReadonlyArray<string>
  /** Verbs that only hand on, and what they hand on: what is done, the argument says first (`light.turn_on entity_id=…`). */
  readonly dispatchers: ReadonlyArray<string>
  readonly dispatched: ReadonlyArray<string>
  /** Keys of the thing, and then of what is done to it: `domain=light service=turn_off`. Absent: it is not looked for. */
  readonly dispatchKeys?: ReadonlyArray<string>
  /** Names of such words alone are tools that make whatever HTTP request they are given. Absent: no request is read. */
  readonly requesters?: ReadonlyArray<string>
  /** Keys of JSON whose value is the method of a request, its place, or what it sends. Absent: one request is read of a text. */
  readonly requestMethods?: ReadonlyArray<string>
  readonly requestPlaces?: ReadonlyArray<string>
  readonly requestBodies?: ReadonlyArray<string>
  /** Collections of things with two names: `/repos/{owner}/{name}`. */
  readonly requestPairs?: ReadonlyArray<string>
  /** A GET of `/transfer` acts with one of these parameters, one of `/reboot` perhaps, and one of `docs.…` seldom. */
  readonly requestFigures?: ReadonlyArray<string>
  readonly requestDeeds?: ReadonlyArray<string>
  readonly requestPages?: ReadonlyArray<string>
  /** Segments of a path behind which pages stand, and those right behind which a thing's name stands: `/crates/shred`. */
  readonly requestSections?: ReadonlyArray<string>
  readonly requestShelves?: ReadonlyArray<string>
  /** Verbs that look for a text, and objects that are one: a request in it is not made. */
  readonly requestTexts?: ReadonlyArray<string>
  /** Verbs that press what a page shows, and what they press: what is done, the button says, or the address of the form. */
  readonly pressers?: ReadonlyArray<string>
  readonly pressed?: ReadonlyArray<string>
  /** Verbs that look for a pattern: a `*` is what they are asked for. In names of writes: what is written is a text, and no act. */
  readonly patterned?: ReadonlyArray<string>
  readonly texted?: ReadonlyArray<string>
  /** What a role that only reads is called: `role=viewer`. Absent: whoever shares something as a viewer changes a role. */
  readonly readingRoles?: ReadonlyArray<string>
  /** Parameters of a URL that name no place. Absent: `destinationKey` makes the key of a destination, and not `placeKey`. */
  readonly silentParameters?: ReadonlyArray<string>
  /** Keys of parameters whose value is a verb: `action=wipe`. */
  readonly actionKeys: ReadonlyArray<string>
  /** Keys of objects whose parameters say which things are meant, and not what is done: `{"match":{"action":"delete"}}`. */
  readonly conditions?: ReadonlyArray<string>
  /** Nouns for who works on a record, or whose a file is: an owner in these names nobody who may do everything. */
  readonly assignments?: ReadonlyArray<string>
  /** Verbs that look for something: what they find is what a verb behind `and` is done to. Absent: `search_and_delete` deletes a search. */
  readonly seeking?: ReadonlyArray<string>
  /** What a document of GraphQL begins with: it is no JSON, whatever is quoted in it. */
  readonly graphBeginnings?: ReadonlyArray<string>
  /** Hosts and ports of stores whose addresses have a collection as their only segment: `DELETE http://es:9200/orders`. */
  readonly requestStores?: ReadonlyArray<string>
  /** Forms in which a verb inside a longer noun does not part it, where a word calls it a test: `scratch_file_block_share`. Absent: all do. */
  readonly partingForms?: ReadonlyArray<string>
  /** Kinds of objects that hold something confidential where they lie, and mostly nothing such where they are sent. */
  readonly sentKinds?: ReadonlyArray<string>
  /** Extents that no entry of an organization's catalogue makes milder. */
  readonly graveExtents?: ReadonlyArray<string>
  /** Verbs of reads whose parameters say what is looked for: `search` of `service:checkout` buys nothing. Absent: it does what they say. */
  readonly seekers?: ReadonlyArray<string>
  /** Systems of such names are production (`primary`, `master-db`), unless another word says that people rehearse there (`staging`). */
  readonly productionSystems?: ReadonlyArray<string>
  readonly rehearsals?: ReadonlyArray<string>
  /** Words that name no thing: nobody knows what a call of such a name does, or of one without a word. Absent: it reads. */
  readonly nameless?: ReadonlyArray<string>
  /** What does something is called so behind what it does: `payment_service`. Absent: such a name reads what it names. */
  readonly doers?: ReadonlyArray<string>
  /** What files of source code and of prose end in: they are about what they are called after. Absent: `src/token.ts` is a token. */
  readonly sourceEndings?: ReadonlyArray<string>
  readonly proseEndings?: ReadonlyArray<string>
  /** Where source is kept, where secrets are, what files of secrets and of settings are called, and the system's own folders at the root. */
  readonly sourceFolders?: ReadonlyArray<string>
  readonly secretFolders?: ReadonlyArray<string>
  readonly secretFiles?: ReadonlyArray<string>
  readonly configFiles?: ReadonlyArray<string>
  readonly systemFolders?: ReadonlyArray<string>
  /** What a file can end in that names no thing: a `txt` is no text message. */
  readonly namelessEndings?: ReadonlyArray<string>
  /** Keys of JSON that say where a thing is, or whose, and name none: `owner`, `namespace`. Lower case, without signs. Absent: every key is a word like others. */
  readonly addressKeys?: ReadonlyArray<string>
  /** Keys of parameters that name no thing, in JSON or before `=`: `pageToken`, `issue_key`. Lower case, without signs. Absent: every key is a word like others. */
  readonly plainKeys?: ReadonlyArray<string>
  /** Keys that say where a thing is, which of an act that changes little is no thing itself: `project`, `key`. */
  readonly placeKeys?: ReadonlyArray<string>
  /** Keys of JSON whose values are texts for people: `title`, `body`. Absent: what they say counts as if it were done. */
  readonly proseKeys?: ReadonlyArray<string>
  /** Objects that hold such texts and nothing that takes effect: a page, an issue, no file and no policy. */
  readonly textHolders?: ReadonlyArray<string>
  /** Those that do so in products that are known: an `event` of a calendar, and no event of a queue. */
  readonly listedHolders?: ReadonlyArray<string>
  /** Keys of JSON that hold the path of the file that a tool works on. Lower case, without signs. */
  readonly pathKeys?: ReadonlyArray<string>
  /** In front of nouns alone they change all of these: `batch_products`. Absent: such a name reads what it names. */
  readonly batching?: ReadonlyArray<string>
  /** Verbs that are things in front of another verb: `backup_restore` restores. Absent: it makes a backup. */
  readonly thingsInFront?: ReadonlyArray<string>
  /** Signs behind which the end of a path that is posted to says what is done: `instances/i:failover`. Absent: it is a word like others. */
  readonly methodMarks?: ReadonlyArray<string>
  /** What can be called of every model of an ERP, with no bracket behind it: `sale.order search_read state=draft`. */
  readonly modelMethods?: ReadonlyArray<string>
  /** Name an owner or an administrator. */
  readonly admins: ReadonlyArray<string>
}

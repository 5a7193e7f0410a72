CREATE TABLE IF NOT EXISTS audit (
  number {counter}, at VARCHAR(32) NOT NULL, who VARCHAR(64) NOT NULL, what VARCHAR(64) NOT NULL,
  about VARCHAR(120) NOT NULL
);
CREATE TABLE IF NOT EXISTS check_pages (
  check_id VARCHAR(32) NOT NULL, digest VARCHAR(32) NOT NULL, page TEXT NOT NULL, PRIMARY KEY (check_id, digest)
);
CREATE TABLE IF NOT EXISTS checks (
  number {counter}, id VARCHAR(32) NOT NULL, claim TEXT NOT NULL, folded TEXT NOT NULL, recipe VARCHAR(64) NOT NULL,
  state VARCHAR(16) NOT NULL, stages TEXT NOT NULL, record TEXT, partial TEXT, error TEXT NOT NULL,
  cache_key VARCHAR(64), label VARCHAR(32), confidence FLOAT, abstained BOOLEAN, leans BOOLEAN, against VARCHAR(120),
  person VARCHAR(120), place INTEGER, report VARCHAR(32), owner VARCHAR(32), shared BOOLEAN, context TEXT, name TEXT,
  deleted VARCHAR(32), attempts INTEGER NOT NULL, created VARCHAR(32) NOT NULL, finished VARCHAR(32) NOT NULL,
  UNIQUE (id)
);
CREATE TABLE IF NOT EXISTS claim_tables (
  id VARCHAR(32) NOT NULL, name TEXT NOT NULL, content {bytes} NOT NULL, person VARCHAR(120) NOT NULL,
  created VARCHAR(32) NOT NULL, PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS collections (
  id VARCHAR(32) NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL, owner VARCHAR(32), shared BOOLEAN,
  created VARCHAR(32) NOT NULL, deleted VARCHAR(32), PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS decisions (
  check_id VARCHAR(32) NOT NULL, turn INTEGER NOT NULL, label VARCHAR(32) NOT NULL, note TEXT NOT NULL,
  author VARCHAR(200) NOT NULL, person VARCHAR(120) NOT NULL, at VARCHAR(32) NOT NULL, PRIMARY KEY (check_id, turn)
);
CREATE TABLE IF NOT EXISTS documents (
  number {counter}, id VARCHAR(32) NOT NULL, name TEXT NOT NULL, state VARCHAR(16) NOT NULL, files TEXT NOT NULL,
  total INTEGER NOT NULL, pages INTEGER NOT NULL, content {bytes}, error TEXT NOT NULL, person VARCHAR(120),
  created VARCHAR(32) NOT NULL, changed VARCHAR(32) NOT NULL, owner VARCHAR(32), shared BOOLEAN, UNIQUE (id)
);
CREATE TABLE IF NOT EXISTS filed (
  number {counter}, collection_id VARCHAR(32) NOT NULL, kind VARCHAR(16) NOT NULL, item_id VARCHAR(32) NOT NULL,
  added VARCHAR(32) NOT NULL, UNIQUE (collection_id, kind, item_id)
);
CREATE TABLE IF NOT EXISTS kept (
  name VARCHAR(32) NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)
);
CREATE TABLE IF NOT EXISTS loads (
  number {counter}, id VARCHAR(32) NOT NULL, home VARCHAR(32) NOT NULL, source VARCHAR(16) NOT NULL,
  place TEXT NOT NULL, wiki VARCHAR(16) NOT NULL, name TEXT NOT NULL, folder VARCHAR(80) NOT NULL,
  standard BOOLEAN NOT NULL, state VARCHAR(16) NOT NULL, progress TEXT NOT NULL, error TEXT NOT NULL,
  owner VARCHAR(32), created VARCHAR(32) NOT NULL, changed VARCHAR(32) NOT NULL, UNIQUE (id)
);
CREATE TABLE IF NOT EXISTS people (
  id VARCHAR(32) NOT NULL, name VARCHAR(64) NOT NULL, role VARCHAR(16) NOT NULL, password TEXT, subject VARCHAR(512),
  created VARCHAR(32) NOT NULL, PRIMARY KEY (id), UNIQUE (name), UNIQUE (subject)
);
CREATE TABLE IF NOT EXISTS report_claims (
  report_id VARCHAR(32) NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
  original TEXT NOT NULL, start INTEGER, "end" INTEGER, speaker TEXT NOT NULL, context TEXT NOT NULL,
  check_id VARCHAR(32), error TEXT NOT NULL, PRIMARY KEY (report_id, position)
);
CREATE TABLE IF NOT EXISTS reports (
  number {counter}, id VARCHAR(32) NOT NULL, title TEXT NOT NULL, folded TEXT NOT NULL, content TEXT NOT NULL,
  recipe VARCHAR(64) NOT NULL, against VARCHAR(120) NOT NULL, made_with TEXT NOT NULL, state VARCHAR(16) NOT NULL,
  total INTEGER NOT NULL, person VARCHAR(120) NOT NULL, owner VARCHAR(32), shared BOOLEAN,
  created VARCHAR(32) NOT NULL, finished VARCHAR(32) NOT NULL, deleted VARCHAR(32), UNIQUE (id)
);
CREATE TABLE IF NOT EXISTS sessions (
  digest VARCHAR(64) NOT NULL, person VARCHAR(32) NOT NULL, created VARCHAR(32) NOT NULL, seen VARCHAR(32) NOT NULL,
  PRIMARY KEY (digest)
);
CREATE TABLE IF NOT EXISTS spending (
  day VARCHAR(10) NOT NULL, person VARCHAR(120) NOT NULL, calls INTEGER NOT NULL, tokens BIGINT NOT NULL,
  PRIMARY KEY (day, person)
);
CREATE TABLE IF NOT EXISTS texts (
  number {counter}, id VARCHAR(32) NOT NULL, title TEXT NOT NULL, state VARCHAR(16) NOT NULL, content TEXT NOT NULL,
  file_name TEXT NOT NULL, file {bytes}, language VARCHAR(16) NOT NULL, sentences TEXT NOT NULL,
  read INTEGER NOT NULL, error TEXT NOT NULL, person VARCHAR(120) NOT NULL, created VARCHAR(32) NOT NULL,
  changed VARCHAR(32) NOT NULL, source TEXT, published VARCHAR(10), notes TEXT, UNIQUE (id)
);
CREATE TABLE IF NOT EXISTS tokens (
  digest VARCHAR(64) NOT NULL, person VARCHAR(32) NOT NULL, name VARCHAR(64) NOT NULL, created VARCHAR(32) NOT NULL,
  used VARCHAR(32) NOT NULL, PRIMARY KEY (digest), UNIQUE (person, name)
);
CREATE TABLE IF NOT EXISTS workers (
  executor VARCHAR(300) NOT NULL, host VARCHAR(255) NOT NULL, seen {moment} NOT NULL, waits TEXT,
  PRIMARY KEY (executor)
);
CREATE INDEX IF NOT EXISTS ix_audit_at ON audit (at);
CREATE INDEX IF NOT EXISTS ix_checks_cache_key ON checks (cache_key);
CREATE INDEX IF NOT EXISTS ix_checks_deleted ON checks (deleted) WHERE deleted IS NOT NULL;
CREATE INDEX IF NOT EXISTS ix_checks_owner ON checks (owner);
CREATE INDEX IF NOT EXISTS ix_checks_state ON checks (state);
CREATE INDEX IF NOT EXISTS ix_collections_deleted ON collections (deleted) WHERE deleted IS NOT NULL;
CREATE INDEX IF NOT EXISTS ix_collections_owner ON collections (owner);
CREATE INDEX IF NOT EXISTS ix_documents_owner ON documents (owner);
CREATE INDEX IF NOT EXISTS ix_filed_item_id ON filed (item_id);
CREATE INDEX IF NOT EXISTS ix_loads_home ON loads (home);
CREATE INDEX IF NOT EXISTS ix_loads_state ON loads (state);
CREATE INDEX IF NOT EXISTS ix_report_claims_check_id ON report_claims (check_id);
CREATE INDEX IF NOT EXISTS ix_reports_deleted ON reports (deleted) WHERE deleted IS NOT NULL;
CREATE INDEX IF NOT EXISTS ix_reports_owner ON reports (owner);
CREATE INDEX IF NOT EXISTS ix_reports_state ON reports (state);
CREATE INDEX IF NOT EXISTS ix_sessions_person ON sessions (person);

"""The database schema: tables, seats, the log of decisions, and the audit log.

The log is append-only. Its key (table, sequence) works as a lock: if two writers use the same decision number, the
database refuses one of them. Every key starts with the table's id, so that tables can be sharded over several
databases. Migrations create this schema; a test compares the two.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
)

NEWEST = "0008"  # the migration that creates this schema

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules", Integer, nullable=False),  # the version of the rules that the game started with
    Column("options", JSON, nullable=False),
    Column("seed", String(20), nullable=False),  # 64 bits do not fit a signed column
    Column("status", String(10), nullable=False),  # waiting, playing, over, ended, record
    Column("open", Boolean, nullable=False),
    Column("watch", Boolean, nullable=False),
    Column("pace", String(10), nullable=False),
    Column(
        "waiting", Integer, nullable=False
    ),  # a bit for each seat that must decide, after the last decision in the log
    Column("result", JSON, nullable=True),
    Column("seal", String(64), nullable=True, unique=True),  # of an uploaded record
    Column("created", BigInteger, nullable=False),  # milliseconds since 1970
    Column("updated", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),  # grows with every change: a reader with a lower version is out of date
    Column("keeper", String(32), key="bot_process", nullable=True),  # the process that runs this table's bots
    Column("link", String(48), nullable=True),  # the code of the link that invites to this table
    Column("host", Integer, nullable=True),  # the seat of the person who opened the table
    Column("listed", Boolean, nullable=False, default=False),  # everyone may find it in the list and watch it
    Column("published", Boolean, nullable=False, default=False),  # everyone may find the finished game in the list
    Column("seconds", Integer, nullable=True),  # the time for a decision, after which a bot takes it
    Column("rematch", String(32), nullable=True),  # the id of the table where they play again
    Column("checksum", Integer, nullable=True),  # of what never changes; NULL in tables from before there were any
    Column("secret", String(64), nullable=True),  # the server's part of the seed; NULL: `seed` is the seed, of sfc32
    Column("contributions", JSON, nullable=True),  # by seat, what the players added to the seed
    Column("hints", Boolean, nullable=False, default=False),  # players may ask for hints among other people
    Column("imagined", JSON, nullable=True),  # when hidden cards were imagined anew: (after, seat, seed as digits)
    Index("tables_by_status", "status", "updated"),
    Index("tables_by_link", "link", unique=True),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(10), nullable=False),  # person, bot
    Column("name", String(48), nullable=True),  # NULL while the seat is free
    Column("level", String(10), nullable=True),
    Column("bot", String(64), nullable=True),  # the notation of the bot
    Column("held", String(10), nullable=True),  # the level of the bot that plays for an absent person
    Column("tokens", JSON, nullable=False, default=list),  # hashes: one for each device that holds the seat
    Column("invite", String(32), nullable=True, unique=True),  # of tables from before there was one link for a table
    Column("kept_for", String(48), nullable=True),  # the name of the person for whom a free seat is kept
    Column("pass_hash", String(64), nullable=True),  # of the six words that bring the seat to another device
    Column("pass_moves", Boolean, nullable=False, default=False),  # whether the other devices lose it then
    Column("pass_until", BigInteger, nullable=True),
    PrimaryKeyConstraint("table_id", "seat"),
    Index("seats_by_pass", "pass_hash", unique=True),
)

log = Table(
    "log",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("sequence", Integer, nullable=False),  # from 1
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("checksum", Integer, nullable=True),  # NULL in decisions from before there were any
    PrimaryKeyConstraint("table_id", "sequence"),
    sqlite_with_rowid=False,
)

reviews = Table(  # of finished games; they can be computed again, so backups leave them out
    "reviews",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("form", Integer, nullable=False),  # what wrote the content: another one computes it again
    Column("content", LargeBinary, nullable=False),
)

audit = Table(  # who sat where and when; prunes stay in it longer than the tables they deleted
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("what", String(16), nullable=False),
    Column("table_id", String(32), nullable=True),
    Column("seat", Integer, nullable=True),
    Column("detail", String(64), nullable=True),
    Index("audit_by_time", "at"),
    Index("audit_by_table", "table_id"),
)

# For several processes that serve one PostgreSQL database:

processes = Table(
    "processes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("seen", DateTime(timezone=True), nullable=False),  # the last heartbeat, by the database's clock
)

presence = Table(
    "presence",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("process", String(32), ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
    Column("seats", Integer, nullable=False),  # a bit for each seat whose person is connected to that process
    Column("watchers", Integer, nullable=False),
    PrimaryKeyConstraint("table_id", "process"),
)

buckets = Table(  # the rate limits that all processes share
    "buckets",
    metadata,
    Column("id", String(80), primary_key=True),  # the limit and the visitor
    Column("tokens", Float, nullable=False),  # left at `filled`
    Column("filled", DateTime(timezone=True), nullable=False),  # by the database's clock
)

sockets = Table(
    "sockets",
    metadata,
    Column("process", String(32), ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
    Column("visitor", String(64), nullable=False),
    Column("count", Integer, nullable=False),  # how many this visitor has open at that process
    PrimaryKeyConstraint("process", "visitor"),
)

"""The database schema: tables, seats and the log of decisions.

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
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
)

NEWEST = "0002"  # the migration that creates this schema

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules", Integer, nullable=False),  # the version of the rules that the game started with
    Column("options", JSON, nullable=False),
    Column("seed", String(20), nullable=False),  # 64 bits do not fit a signed column
    Column("status", String(10), nullable=False),  # waiting, playing, over, record
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
    Index("tables_by_status", "status", "updated"),
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
    Column("token_hash", String(64), nullable=True),
    Column("invite", String(32), nullable=True, unique=True),
    PrimaryKeyConstraint("table_id", "seat"),
)

log = Table(
    "log",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("sequence", Integer, nullable=False),  # from 1
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("table_id", "sequence"),
    sqlite_with_rowid=False,
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

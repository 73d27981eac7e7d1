"""One link for a table, a host, seats on several devices, privacy of finished games, time for decisions, rematches."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("tables", sa.Column("link", sa.String(48), nullable=True))
    op.add_column("tables", sa.Column("host", sa.Integer, nullable=True))
    op.add_column("tables", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("published", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("seconds", sa.Integer, nullable=True))
    op.add_column("tables", sa.Column("rematch", sa.String(32), nullable=True))
    op.create_index("tables_by_link", "tables", ["link"], unique=True)
    op.add_column("seats", sa.Column("kept_for", sa.String(48), nullable=True))
    op.add_column("seats", sa.Column("tokens", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("seats", sa.Column("pass_hash", sa.String(64), nullable=True))
    op.add_column("seats", sa.Column("pass_moves", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("pass_until", sa.BigInteger, nullable=True))
    op.create_index("seats_by_pass", "seats", ["pass_hash"], unique=True)
    _move_tokens("tokens", """'["' || token_hash || '"]'""", "token_hash IS NOT NULL")
    op.drop_column("seats", "token_hash")
    _give_links()


def _move_tokens(column: str, value: str, where: str) -> None:
    if op.get_bind().dialect.name == "postgresql" and column == "tokens":
        value = f"CAST({value} AS json)"
    op.execute(f"UPDATE seats SET {column} = {value} WHERE {where}")


def _give_links() -> None:
    """Unfinished tables get a link, so that their free seats can still be shared."""
    tables = sa.table("tables", sa.column("id"), sa.column("status"), sa.column("link"))
    bind = op.get_bind()
    for table_id in list(bind.scalars(sa.select(tables.c.id).where(tables.c.status.in_(("waiting", "playing"))))):
        link = table_id + secrets.token_urlsafe(12)
        bind.execute(sa.update(tables).where(tables.c.id == table_id).values(link=link))


def downgrade() -> None:
    op.add_column("seats", sa.Column("token_hash", sa.String(64), nullable=True))
    first = "tokens ->> 0" if op.get_bind().dialect.name == "postgresql" else "json_extract(tokens, '$[0]')"
    _move_tokens("token_hash", first, "1 = 1")
    op.drop_index("seats_by_pass", "seats")
    for name in ("pass_until", "pass_moves", "pass_hash", "tokens", "kept_for"):
        op.drop_column("seats", name)
    op.drop_index("tables_by_link", "tables")
    for name in ("rematch", "seconds", "published", "listed", "host", "link"):
        op.drop_column("tables", name)
